extends RefCounted
## What is seen of the game: court, trails, sparks, camera, HUD; made where there is a display, filled from the game's state.

const Hud := preload("hud.gd")
const Eye := preload("eye.gd")
const Sparks := preload("sparks.gd")
const Trails := preload("trails.gd")
const Swarm := preload("swarm.gd")
const Waves := preload("waves.gd")
const DAWN_SECONDS := 3.0
const KEYS_HEIGHT := 110.0  ## px of the court that the line of keys covers
const COURT := preload("shaders/court.gdshader")
const FIREFLY := preload("shaders/firefly.gdshader")

const BUG_COLORS: Array[Color] = [Color(1.0, 0.42, 0.34), Color(1.0, 0.72, 0.20), Color(1.0, 0.26, 0.42), Color(0.80, 0.42, 1.0)]
const MINT := Color(0.45, 1.0, 0.88)
const VIOLET := Color(0.72, 0.45, 1.0)
const MARGIN := 700.0  ## px of ground beyond the court
const LAST_TICKS := 75  ## of a run for a picture that are drawn, so that trails are there

var hud := Hud.new()
var sparks := Sparks.new()

var _game: Node2D
var _eye := Eye.new()
var _trails := Trails.new()
var _court := ShaderMaterial.new()
var _first_drawn := 0
var _dawn := 0.0


func show_game(game: Node2D) -> void:
	_game = game
	var floor_mesh := MeshInstance2D.new()
	floor_mesh.mesh = QuadMesh.new()
	floor_mesh.mesh.size = game.bounds.size + Vector2.ONE * 2.0 * MARGIN
	floor_mesh.position = game.bounds.get_center()
	_court.shader = COURT
	_court.set_shader_parameter("bounds", Vector4(game.bounds.position.x, game.bounds.position.y, game.bounds.size.x, game.bounds.size.y))
	floor_mesh.material = _court
	game.world.add_child(floor_mesh)
	game.world.move_child(floor_mesh, 0)
	game.fireflies.mesh = QuadMesh.new()
	game.fireflies.material = ShaderMaterial.new()
	game.fireflies.material.shader = FIREFLY
	game.kept.mesh = game.fireflies.mesh
	game.kept.material = game.fireflies.material
	_trails.follow(game.fireflies.get_multimesh(), game.bounds)
	game.world.add_child(_trails)
	game.world.move_child(_trails, game.grid.get_index())
	game.world.add_child(sparks)
	game.add_child(_eye)
	_eye.watch(game.bounds)
	game.add_child(hud)
	hud.announce("NIGHT OF THE LANTERN", "hold the left button, last %d waves until dawn" % Waves.LAST, 2.4)


## Only the end of a run for a picture is drawn: software drawing takes far longer than the ticks.
func draw_only_the_end(ticks: int) -> void:
	_first_drawn = ticks - LAST_TICKS


func refresh(delta: float) -> void:
	RenderingServer.render_loop_enabled = _game.ticks >= _first_drawn
	sparks.advance(delta)
	_game.ship.show_picture()
	_game.swarm.show_picture()
	_trails.show_picture(delta)
	_eye.show_picture(delta, _game.ship.position)
	_court.set_shader_parameter("lantern", _game.ship.position if not _game.over or _game.won else Vector2(-9000, 0))
	if _game.won:
		_dawn = minf(_dawn + delta / DAWN_SECONDS, 1.0)
	_court.set_shader_parameter("dawn", _dawn)
	_court.set_shader_parameter("well", _game.well.position)
	_court.set_shader_parameter("strength", _game.grid.get_strength_texture() if _game.grid.show_glow else null)
	hud.show_score(_game.score, _game.get_multiple(), _game.get_chain_share())
	hud.show_wave(_game.waves.number, Waves.LAST, _game.swarm.bugs.size())
	hud.show_flames(_game.ship.flames, _game.ship.MOST_FLAMES)
	hud.show_keys(_game.bounds.end.y - _game.ship.position.y < KEYS_HEIGHT, delta)
	hud.show_lure(_game.lures.rest)
	hud.show_well(_game.well.held, _game.well.is_ready())
	hud.show_figures(_game.fireflies.get_count(), int(Engine.get_frames_per_second()), _game.grid.far_field == 1)


func show_hit(place: Vector2) -> void:
	for index in 2:
		sparks.spark(place, Vector2.from_angle(randf() * TAU) * randf_range(40, 220), MINT, randf_range(7.0, 12.0), randf_range(0.15, 0.35))
	sparks.flash(place, Color(0.8, 1.0, 0.95), 26.0, 0.12)


func show_death(bug: Swarm.Bug) -> void:
	var size: float = Swarm.RADIUS[bug.kind]
	sparks.explode(bug.place, BUG_COLORS[bug.kind], size * 1.5, 14 + int(size))
	_eye.shake(0.05 + size * size * 0.0004)


func show_burst(place: Vector2, reach: float) -> void:
	sparks.explode(place, VIOLET, reach * 0.3, 90)
	sparks.ring(place, VIOLET, reach * 2.0, 0.6)
	sparks.ring(place, Color.WHITE, reach * 1.4, 0.4)
	_eye.shake(0.6)


func show_loosed(place: Vector2, count: int) -> void:
	sparks.ring(place, MINT, 420.0, 0.7)
	sparks.ring(place, Color.WHITE, 240.0, 0.4)
	sparks.flash(place, MINT, 300.0, 0.35)
	_eye.shake(minf(0.25 + count * 0.002, 0.6))


func show_hurt(place: Vector2) -> void:
	sparks.explode(place, Color(1.0, 0.5, 0.3), 30.0, 50)
	hud.flash_hurt()
	_eye.shake(0.75)


func show_over(score: int, wave: int) -> void:
	hud.announce("THE LANTERN IS OUT", "%s points, wave %d of %d; R lights it again" % [hud.grouped(score), wave, Waves.LAST], 0.0)
	sparks.explode(_game.ship.position, MINT, 90.0, 160)


func show_dawn(score: int, flames: int) -> void:
	hud.announce("DAWN: THE LANTERN BURNS", "%s points, %d flames left; R for another night" % [hud.grouped(score), flames], 0.0)
	sparks.explode(_game.ship.position, Color(1.0, 0.8, 0.4), 120.0, 200)


func show_wave(number: int, lights_flame: bool) -> void:
	var news := "one more firefly flies in a volley"
	if number == 1:
		news = "keep moving: who stands still is found"
	elif number == 2:
		news = "E sets a false light: bugs fly at it, then it bursts; right click turns it round"
	elif number == 3:
		news = "wards turn fireflies away: right click makes them traps"
	elif lights_flame:
		news = "a flame is lit again, and " + news
	hud.announce("WAVE %d" % number, news)


func show_warning(place: Vector2) -> void:
	for index in 3:
		sparks.ring(place, Color(1.0, 0.55, 0.25), 130.0 + 90.0 * index, 0.7 + 0.25 * index)
	sparks.flash(place, Color(1.0, 0.5, 0.2), 220.0, 0.9)
