extends Node2D
## The bugs of the night. Each is a HomingSource2D below the grid that the game moves; all are one multi-mesh to the engine.

signal died(bug: Bug)
signal wants_ward(place: Vector2)

enum Kind { MOTH, WASP, BEETLE, WEAVER }

const Lures := preload("lures.gd")
const SHADER := preload("shaders/bugs.gdshader")
const HEALTH: Array[float] = [5.0, 11.0, 130.0, 40.0]
const RADIUS: Array[float] = [14.0, 13.0, 33.0, 21.0]
const SPEED: Array[float] = [120.0, 175.0, 62.0, 100.0]
const POWER: Array[float] = [1.0, 1.2, 5.0, 2.0]
const WORTH: Array[int] = [10, 25, 150, 80]
const AGILITY: Array[float] = [2.2, 3.2, 1.1, 1.8]  ## how fast velocity follows the wish, a second
const LOOK_SIZE: Array[float] = [6.0, 6.4, 4.4, 5.6]  ## width of the picture, in radii
const LOOK_TICKS := 6  ## a bug looks for false lights every so many ticks
const WEAVER_DISTANCE := 330.0
const WARD_SECONDS := 5.0
const MOST := 400
const FLOATS := 16


class Bug:
	var kind := Kind.MOTH
	var source: Node2D
	var place := Vector2.ZERO
	var velocity := Vector2.ZERO
	var led := Vector2.ZERO  ## where a false light leads it; zero: it flies at the lantern
	var health := 1.0
	var flash := 0.0
	var age := 0.0
	var number := 0.0  ## random, 0..1


var bugs: Array[Bug] = []
var haste := 1.0  ## what speeds are multiplied by

var _grid: Node2D
var _random: RandomNumberGenerator
var _of_source: Dictionary[Node, Bug] = {}
var _multimesh := MultiMesh.new()
var _turn := 0


func settle(grid: Node2D, random: RandomNumberGenerator) -> void:
	_grid = grid
	_random = random


func _ready() -> void:
	_multimesh.use_custom_data = true
	_multimesh.use_colors = true
	var quad := QuadMesh.new()
	_multimesh.mesh = quad
	_multimesh.instance_count = MOST
	_multimesh.visible_instance_count = 0
	_multimesh.custom_aabb = AABB(Vector3(-4000, -4000, -1), Vector3(10000, 10000, 2))
	var picture := MultiMeshInstance2D.new()
	picture.multimesh = _multimesh
	picture.material = ShaderMaterial.new()
	picture.material.shader = SHADER
	add_child(picture)


func hatch(kind: Kind, place: Vector2) -> void:
	if bugs.size() >= MOST:
		return
	var bug := Bug.new()
	bug.kind = kind
	bug.place = place
	bug.health = HEALTH[kind]
	bug.number = _random.randf()
	bug.source = ClassDB.instantiate(&"HomingSource2D")
	bug.source.position = place
	bug.source.power = POWER[kind]
	bug.source.hit_radius = RADIUS[kind]
	_grid.add_child(bug.source)
	_of_source[bug.source] = bug
	bugs.append(bug)


func get_bug(source: Node) -> Bug:
	return _of_source.get(source)


func hurt(bug: Bug, damage: float) -> void:
	if bug.health <= 0.0:
		return
	bug.health -= damage
	bug.flash = 1.0
	if bug.health <= 0.0:
		_of_source.erase(bug.source)
		bugs.erase(bug)
		bug.source.queue_free()
		died.emit(bug)


## Hurts all bugs around a place, less so farther out.
func hurt_around(place: Vector2, reach: float, damage: float) -> void:
	for bug: Bug in bugs.duplicate():
		var distance := place.distance_to(bug.place)
		if distance < reach:
			bug.velocity += place.direction_to(bug.place) * 260.0 * (1.0 - distance / reach)
			hurt(bug, damage * (1.0 - 0.6 * distance / reach))


## A tick: they fly at the lantern each in its way, and keep off one another. Gives the bug that touches the lantern, or null.
func advance(delta: float, lantern: Vector2, reach: float, lures: Lures) -> Bug:
	_turn += 1
	var touching: Bug = null
	var count := bugs.size()
	for index in count:
		var bug := bugs[index]
		bug.age += delta
		bug.flash = maxf(bug.flash - 6.0 * delta, 0.0)
		var to := lantern - bug.place
		if (index + _turn) % LOOK_TICKS == 0:
			bug.led = lures.lead(bug.place)
		var wish := _wish(bug, to)
		# One neighbour a tick is enough to keep a swarm loose.
		var other := bugs[(index + 1 + _turn * 7) % count]
		var apart := bug.place - other.place
		var room := (RADIUS[bug.kind] + RADIUS[other.kind]) * 1.6
		if other != bug and apart.length_squared() < room * room:
			bug.velocity += apart.normalized() * 60.0
		bug.velocity += (wish * SPEED[bug.kind] * haste - bug.velocity) * minf(AGILITY[bug.kind] * delta, 1.0)
		bug.place += bug.velocity * delta
		bug.source.position = bug.place
		if to.length() < reach + RADIUS[bug.kind] * 0.8:
			touching = bug
	return touching


func _wish(bug: Bug, to: Vector2) -> Vector2:
	var way := bug.led if bug.led != Vector2.ZERO else to.normalized()
	var phase := bug.age * TAU + bug.number * 40.0
	match bug.kind:
		Kind.MOTH:
			return (way + way.orthogonal() * 0.9 * sin(phase * 0.45)).normalized()
		Kind.WASP:  # darts, hangs, darts: what flies at it wide overshoots
			var dart := fmod(bug.age + bug.number, 1.25)
			if dart < 0.45:
				return way.rotated((bug.number - 0.5) * 1.8) * 2.6
			return way.orthogonal() * (0.8 if bug.number > 0.5 else -0.8)
		Kind.WEAVER:
			if fmod(bug.age + bug.number * 2.0, WARD_SECONDS) < 1.0 / 60.0 and bug.age > 1.0:
				wants_ward.emit(bug.place + way * 60.0)
			var near := clampf((to.length() - WEAVER_DISTANCE) / 80.0, -1.0, 1.0)
			return (way * near + way.orthogonal() * (0.8 if bug.number > 0.5 else -0.8)).limit_length(1.0)
	return way


## What the picture needs: transform, tint, custom data (kind, flash, health left, phase).
func show_picture() -> void:
	var buffer := PackedFloat32Array()
	buffer.resize(MOST * FLOATS)
	var at := 0
	for bug in bugs:
		var grown := minf(bug.age / 0.35, 1.0)
		var size := RADIUS[bug.kind] * LOOK_SIZE[bug.kind] * grown
		var angle := bug.velocity.angle()
		var along := Vector2(cos(angle), sin(angle)) * size
		buffer[at] = along.x
		buffer[at + 1] = -along.y
		buffer[at + 3] = bug.place.x
		buffer[at + 4] = along.y
		buffer[at + 5] = along.x
		buffer[at + 7] = bug.place.y
		buffer[at + 8] = 1.0 if bug.source.power > 0.0 else 0.0
		buffer[at + 9] = bug.number
		buffer[at + 10] = 1.0
		buffer[at + 11] = 1.0
		buffer[at + 12] = float(bug.kind)
		buffer[at + 13] = bug.flash
		buffer[at + 14] = bug.health / HEALTH[bug.kind]
		buffer[at + 15] = bug.age
		at += FLOATS
	_multimesh.buffer = buffer
	_multimesh.visible_instance_count = bugs.size()
