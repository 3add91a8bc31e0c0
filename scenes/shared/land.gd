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

# Codes of a generated map's terrain, as the map generator numbers them.
const FLOOR := 3
const WALL := 7
const BUILDING := 8
## What each terrain is in the natural texture: raised (rock, wood), water, wood, road or paving.
const LOOKS: Array[Color] = [
	Color(0, 0, 0, 0),  # plain
	Color(0, 0, 0, 0.63),  # road
	Color(0, 0, 0.5, 0),  # forest
	Color(0, 0, 0, 1),  # floor
	Color(0, 0, 0, 1),  # gate
	Color(0, 1, 0, 0),  # water
	Color(1, 0, 0, 0),  # rock
	Color(0, 0, 0, 0),  # wall: in the texture of the walls
	Color(0, 0, 0, 0),  # building: likewise
	Color(1, 0, 1, 0),  # thicket
]
const WALL_BYTE := 255
const BUILDING_BYTE := 100

var tile_pixels := 16.0
var size := Vector2i.ZERO
var wall_texture: ImageTexture
var relief_texture: ImageTexture
var natural_texture: ImageTexture

var _natural: Image
var _walls: Image
var _trodden := PackedByteArray()  ## how worn the ground is, a byte for SHRINK x SHRINK tiles
var _trodden_size := Vector2i.ONE
var _trodden_texture: ImageTexture
var _roof_texture: ImageTexture
var _has_terrain := false
var _natural_dirty := false
var _walls_dirty := false
var _trodden_dirty := false
var _overlay: Node2D


## Makes the textures and shows the land. `costs` and `terrain` are row by row; terrain may be empty (a map that only has costs), then the
## noise of the shaders says what is rock, wood or water. No roofs are drawn inside `keep`. The overlay that comes back is a node that the
## caller puts in front of the horde.
func show_map(costs: PackedByteArray, terrain: PackedByteArray, map_size: Vector2i, pixels: float, keep: Rect2i) -> Node2D:
	size = map_size
	tile_pixels = pixels
	_has_terrain = terrain.size() == costs.size()
	var wall_bytes := PackedByteArray()
	wall_bytes.resize(costs.size())
	_make_natural(terrain if _has_terrain else costs)
	if _has_terrain:
		_natural.fill_rect(keep, LOOKS[FLOOR])
		_make_structures(terrain, wall_bytes, keep)
	else:
		_roof_texture = ImageTexture.create_from_image(Image.create_empty(4, 4, false, Image.FORMAT_RG8))
	_walls = Image.create_from_data(size.x, size.y, false, Image.FORMAT_R8, wall_bytes)
	_trodden_size = Vector2i(maxi(size.x / SHRINK, 1), maxi(size.y / SHRINK, 1))
	_trodden.resize(_trodden_size.x * _trodden_size.y)
	_trodden.fill(0)
	_trodden_texture = ImageTexture.create_from_image(_trodden_image())
	var relief: Image = _natural.duplicate()
	relief.convert(Image.FORMAT_RG8)
	relief.resize(maxi(size.x / 8, 1), maxi(size.y / 8, 1), Image.INTERPOLATE_LANCZOS)
	relief.resize(_trodden_size.x, _trodden_size.y, Image.INTERPOLATE_CUBIC)
	_natural.generate_mipmaps()
	_walls.generate_mipmaps()
	natural_texture = ImageTexture.create_from_image(_natural)
	relief_texture = ImageTexture.create_from_image(relief)
	wall_texture = ImageTexture.create_from_image(_walls)
	material = _material(GROUND)
	if _overlay == null:
		_overlay = Node2D.new()
		_overlay.name = "Overlay"
		_overlay.draw.connect(_draw_overlay)
	_overlay.material = _material(OVERLAY)
	queue_redraw()
	_overlay.queue_redraw()
	return _overlay


# One 32-bit write a tile: four channels by table.
func _make_natural(codes: PackedByteArray) -> void:
	var looks := PackedInt32Array()
	looks.resize(256)
	if _has_terrain:
		for code in LOOKS.size():
			looks[code] = LOOKS[code].to_abgr32()
	else:
		looks[0] = Color(1, 0, 0, 0).to_abgr32()
		for cost in range(1, 256):
			looks[cost] = Color(0, 0, clampf((cost - 2) / 8.0, 0.0, 0.5), 0).to_abgr32()
	var texels := PackedInt32Array()
	texels.resize(codes.size())
	for tile in codes.size():
		texels[tile] = looks[codes[tile]]
	_natural = Image.create_from_data(size.x, size.y, false, Image.FORMAT_RGBA8, texels.to_byte_array())


# Walls and houses. A house is a rectangle of tiles; each of its tiles learns where it lies across the roof.
func _make_structures(terrain: PackedByteArray, wall_bytes: PackedByteArray, keep: Rect2i) -> void:
	var roofs := Image.create_empty(size.x, size.y, false, Image.FORMAT_RG8)
	var tile := terrain.find(WALL)
	while tile >= 0:
		wall_bytes[tile] = WALL_BYTE
		tile = terrain.find(WALL, tile + 1)
	tile = terrain.find(BUILDING)
	while tile >= 0:
		var corner := Vector2i(tile % size.x, tile / size.x)
		if not keep.has_point(corner) and wall_bytes[tile] == 0:
			_make_roof(terrain, wall_bytes, roofs, corner)
		tile = terrain.find(BUILDING, tile + 1)
	_roof_texture = ImageTexture.create_from_image(roofs)


func _make_roof(terrain: PackedByteArray, wall_bytes: PackedByteArray, roofs: Image, corner: Vector2i) -> void:
	var extent := Vector2i.ZERO
	while extent.x < 15 and corner.x + extent.x < size.x and _is_new_building(terrain, wall_bytes, corner + Vector2i(extent.x, 0)):
		extent.x += 1
	while extent.y < 15 and corner.y + extent.y < size.y and _is_new_building(terrain, wall_bytes, corner + Vector2i(0, extent.y)):
		extent.y += 1
	var ridge_is_flat := extent.x >= extent.y
	var hue := (hash(corner) & 63) << 1
	for y in extent.y:
		for x in extent.x:
			var place := corner + Vector2i(x, y)
			if not _is_new_building(terrain, wall_bytes, place):
				continue
			wall_bytes[place.y * size.x + place.x] = BUILDING_BYTE
			var across := (y * 16 + extent.y) if ridge_is_flat else (x * 16 + extent.x)
			roofs.set_pixelv(place, Color8(across, (hue << 1) | int(ridge_is_flat), 0))


func _is_new_building(terrain: PackedByteArray, wall_bytes: PackedByteArray, place: Vector2i) -> bool:
	var tile := place.y * size.x + place.x
	return terrain[tile] == BUILDING and wall_bytes[tile] == 0


## A wall was built on this tile.
func build(tile: Vector2i) -> void:
	_walls.set_pixelv(tile, Color.WHITE)
	_walls_dirty = true


## Whatever stood on this tile is gone.
func clear(tile: Vector2i) -> void:
	if _walls.get_pixelv(tile).r > 0.1:
		_walls.set_pixelv(tile, Color.BLACK)
		_walls_dirty = true
	else:
		_natural.set_pixelv(tile, Color(0, 0, 0, 0))
		_natural_dirty = true


func is_wall(tile: Vector2i) -> bool:
	return _walls.get_pixelv(tile).r > 0.5


## Somebody walked here (tiles): in time the grass wears off. `wear` of 255 is bare earth at once.
func tread(place: Vector2, wear: int) -> void:
	var x := int(place.x) / SHRINK
	var y := int(place.y) / SHRINK
	if x >= 0 and y >= 0 and x < _trodden_size.x and y < _trodden_size.y:
		var texel := y * _trodden_size.x + x
		_trodden[texel] = mini(_trodden[texel] + wear, 255)
		_trodden_dirty = true


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


## Sends the worn ground to the graphics card; once a second is enough.
func upload_trodden() -> void:
	if _trodden_dirty:
		_trodden_texture.update(_trodden_image())
		_trodden_dirty = false


func _trodden_image() -> Image:
	return Image.create_from_data(_trodden_size.x, _trodden_size.y, false, Image.FORMAT_R8, _trodden)


func _draw() -> void:
	if size != Vector2i.ZERO:
		draw_rect(_quad(), Color.WHITE)


func _draw_overlay() -> void:
	_overlay.draw_rect(_quad(), Color.WHITE)


func _quad() -> Rect2:
	var margin := Vector2.ONE * MARGIN_TILES
	return Rect2(-margin * tile_pixels, (Vector2(size) + 2.0 * margin) * tile_pixels)


func _material(shader: Shader) -> ShaderMaterial:
	var made := ShaderMaterial.new()
	made.shader = shader
	made.set_shader_parameter(&"natural", natural_texture)
	made.set_shader_parameter(&"walls", wall_texture)
	made.set_shader_parameter(&"roofs", _roof_texture)
	made.set_shader_parameter(&"relief", relief_texture)
	made.set_shader_parameter(&"trodden", _trodden_texture)
	made.set_shader_parameter(&"noise", NOISE)
	made.set_shader_parameter(&"map_tiles", Vector2(size))
	made.set_shader_parameter(&"tile_pixels", tile_pixels)
	made.set_shader_parameter(&"has_terrain", _has_terrain)
	return made
