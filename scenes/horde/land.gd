extends Node2D
## The land of the demo: textures made from the tile costs, the ground under the horde and the overlay in front of it.
##
## Only what is drawn lives here; the solver's costs are the map node's. Walls that the player builds are a texture of their own, so that
## they look built; what was solid from the start looks like rock, wood or water, whichever the noise of the shaders says.

const SHRINK := 4  ## tiles a texel of the relief
const MARGIN_TILES := 400
const GROUND := preload("shaders/ground.gdshader")
const OVERLAY := preload("shaders/overlay.gdshader")
const NOISE := preload("art/noise.png")

var tile_pixels := 16.0
var size := Vector2i.ZERO
var wall_texture: ImageTexture
var relief_texture: ImageTexture
var natural_texture: ImageTexture

var _natural: Image
var _walls: Image
var _relief: Image
var _natural_dirty := false
var _walls_dirty := false
var _relief_dirty := false
var _overlay: Node2D


## Makes the textures from `costs` (row by row, 0 solid, 1..255 cost) and shows the land. The overlay is a node that the caller puts
## in front of the horde.
func show_map(costs: PackedByteArray, map_size: Vector2i, pixels: float) -> Node2D:
	size = map_size
	tile_pixels = pixels
	var pairs := PackedByteArray()
	pairs.resize(costs.size() * 2)
	for tile in costs.size():
		var cost := costs[tile]
		if cost == 0:
			pairs[2 * tile] = 255
		pairs[2 * tile + 1] = cost
	_natural = Image.create_from_data(size.x, size.y, false, Image.FORMAT_RG8, pairs)
	_relief = _natural.duplicate()
	_relief.convert(Image.FORMAT_R8)
	_relief.resize(maxi(size.x / 8, 1), maxi(size.y / 8, 1), Image.INTERPOLATE_LANCZOS)
	_relief.resize(maxi(size.x / SHRINK, 1), maxi(size.y / SHRINK, 1), Image.INTERPOLATE_CUBIC)
	_relief.convert(Image.FORMAT_RG8)
	_natural.generate_mipmaps()
	_walls = Image.create_empty(size.x, size.y, false, Image.FORMAT_R8)
	_walls.generate_mipmaps()
	natural_texture = ImageTexture.create_from_image(_natural)
	relief_texture = ImageTexture.create_from_image(_relief)
	wall_texture = ImageTexture.create_from_image(_walls)
	material = _material(GROUND)
	if _overlay == null:
		_overlay = Node2D.new()
		_overlay.name = "Overlay"
		_overlay.draw.connect(_draw_quad.bind(_overlay))
	_overlay.material = _material(OVERLAY)
	queue_redraw()
	_overlay.queue_redraw()
	return _overlay


## A wall was built on this tile.
func build(tile: Vector2i) -> void:
	_walls.set_pixelv(tile, Color.WHITE)
	_walls_dirty = true


## Whatever stood on this tile is gone; the ground costs `cost` now.
func clear(tile: Vector2i, cost: int) -> void:
	if _walls.get_pixelv(tile).r > 0.5:
		_walls.set_pixelv(tile, Color.BLACK)
		_walls_dirty = true
	else:
		_natural.set_pixelv(tile, Color(0.0, cost / 255.0, 0.0))
		_natural_dirty = true


func is_wall(tile: Vector2i) -> bool:
	return _walls.get_pixelv(tile).r > 0.5


## Somebody walked here (tiles): in time the grass wears off.
func tread(place: Vector2, wear: float) -> void:
	var texel := Vector2i(place / SHRINK)
	if texel.x < 0 or texel.y < 0 or texel.x >= _relief.get_width() or texel.y >= _relief.get_height():
		return
	var color := _relief.get_pixelv(texel)
	color.g = minf(color.g + wear * (1.0 - color.g), 1.0)
	_relief.set_pixelv(texel, color)
	_relief_dirty = true


## Sends what changed to the graphics card.
func upload() -> void:
	if _walls_dirty:
		_walls.generate_mipmaps()
		wall_texture.update(_walls)
		_walls_dirty = false
	if _natural_dirty:
		_natural.generate_mipmaps()
		natural_texture.update(_natural)
		_natural_dirty = false
	if _relief_dirty:
		relief_texture.update(_relief)
		_relief_dirty = false


func _draw() -> void:
	if size != Vector2i.ZERO:
		_draw_quad(self)


func _draw_quad(canvas: Node2D) -> void:
	var margin := Vector2.ONE * MARGIN_TILES
	canvas.draw_rect(Rect2(-margin * tile_pixels, (Vector2(size) + 2.0 * margin) * tile_pixels), Color.WHITE)


func _material(shader: Shader) -> ShaderMaterial:
	var made := ShaderMaterial.new()
	made.shader = shader
	made.set_shader_parameter(&"natural", natural_texture)
	made.set_shader_parameter(&"walls", wall_texture)
	made.set_shader_parameter(&"relief", relief_texture)
	made.set_shader_parameter(&"noise", NOISE)
	made.set_shader_parameter(&"map_tiles", Vector2(size))
	made.set_shader_parameter(&"tile_pixels", tile_pixels)
	return made
