extends RefCounted
## A light that is set down in the court: a source on the grid, and its picture.

const SHADER := preload("shaders/ward.gdshader")

var source: Node2D
var picture: MeshInstance2D
var age := 0.0


## Its source goes below the grid, its picture below another node.
func _init(grid: Node2D, above: Node2D, place: Vector2, side: float) -> void:
	source = ClassDB.instantiate(&"HomingSource2D")
	source.position = place
	grid.add_child(source)
	picture = MeshInstance2D.new()
	picture.mesh = QuadMesh.new()
	picture.mesh.size = Vector2.ONE * side
	picture.material = ShaderMaterial.new()
	picture.material.shader = SHADER
	picture.position = place
	above.add_child(picture)


## `charge`: how near it is to its end; `presence`: how much of it is there.
func show_state(charge: float, draws: bool, presence: float) -> void:
	var material: ShaderMaterial = picture.material
	material.set_shader_parameter("charge", charge)
	material.set_shader_parameter("lit", 1.0 if draws else 0.0)
	material.set_shader_parameter("presence", presence)


func free_nodes() -> void:
	source.queue_free()
	picture.queue_free()
