extends RefCounted
## A sample of the horde, a little at each look: for the minimap, and for the grass that it treads down.

const SCOUTS := 500  ## units that are looked at each time
const ROUND := 10  ## looks until the minimap shows a new picture
const STRIDE := 7919  ## a prime, so that a few looks are spread over all ids
const WEAR := 5

var _scout := 0
var _looks := 0


## `bands` are the warlord's; each is looked at by its share.
func look(bands: Array, land: Node2D, minimap: ColorRect, tile_pixels: float) -> void:
	var left := 0
	for band: RefCounted in bands:
		left += band.crowd.get_agent_count()
	var to_map := Vector2.ONE / (Vector2(land.size) * tile_pixels)
	for band: RefCounted in bands:
		var count: int = band.crowd.get_agent_count()
		if count == 0:
			continue
		var positions: PackedVector2Array = band.crowd.get_positions()
		for glance in mini(SCOUTS * count / left + 1, count):
			_scout += STRIDE
			var place := positions[_scout % positions.size()]
			minimap.mark(place * to_map)
			land.tread(place / tile_pixels, WEAR)
	_looks += 1
	if _looks >= ROUND:
		_looks = 0
		minimap.show_marks()
		land.upload_trodden()
