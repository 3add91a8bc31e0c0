extends RefCounted
## Plays where nobody does: keeps away from what is near, keeps off the walls, aims at the crowd, empties the well.

const Swarm := preload("swarm.gd")

var move := Vector2.ZERO
var aim := Vector2.ZERO


func think(place: Vector2, swarm: Swarm, bounds: Rect2) -> void:
	var away := Vector2.ZERO
	var nearest := INF
	for bug in swarm.bugs:
		var from := place - bug.place
		var distance := maxf(from.length() - swarm.RADIUS[bug.kind], 1.0)
		away += from.normalized() * pow(90.0 / distance, 2.0)
		if distance < nearest:
			nearest = distance
			aim = bug.place
	var middle := bounds.get_center() - place
	var round := middle.orthogonal().normalized() * 0.35
	move = (away + round + middle * 0.0022).limit_length(1.0)
