extends CanvasLayer
## What the player reads: score and chain, wave, flames, what the well holds, keys. Values are pushed in; nothing is polled here.

const CREAM := Color(1.0, 0.95, 0.84)
const FAINT := Color(0.80, 0.86, 1.0, 0.60)
const GOLD := Color(1.0, 0.78, 0.32)
const MINT := Color(0.55, 1.0, 0.90)
const CORAL := Color(1.0, 0.42, 0.36)
const CLEARED := 0.12  ## how much is left of the keys while the lantern is behind them
const KEYS: Array[Array] = [
	["WASD", "glide"], ["LMB", "fireflies"], ["E", "false light"], ["SPACE", "loose the well"], ["RMB", "flip polarity"], ["V", "arrows"], ["G", "glow"],
	["X", "exact targets"], ["P", "pause"], ["R", "restart"], ["H", "hide"],
]

var _score: Label
var _chain: Label
var _wave: Label
var _left: Label
var _flames: Control
var _flame_count := 5
var _most_flames := 6
var _well: Label
var _lure: Label
var _figures: Label
var _keys: Array[Control] = []  ## the line of keys, and the shade behind it
var _banner: Label
var _banner_below: Label
var _banner_tween: Tween
var _pop: Tween
var _hurt := ColorRect.new()
var _hurt_tween: Tween


func _ready() -> void:
	_hurt.set_anchors_preset(Control.PRESET_FULL_RECT)
	_hurt.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_hurt.material = ShaderMaterial.new()
	_hurt.material.shader = preload("shaders/hurt.gdshader")
	add_child(_hurt)
	_shade(Control.PRESET_TOP_WIDE, 120.0)
	_keys.append(_shade(Control.PRESET_BOTTOM_WIDE, 64.0))
	_score = _label("0", 44, CREAM, Control.PRESET_CENTER_TOP, Vector2(0, 2), HORIZONTAL_ALIGNMENT_CENTER)
	_chain = _label("", 18, GOLD, Control.PRESET_CENTER_TOP, Vector2(0, 56), HORIZONTAL_ALIGNMENT_CENTER)
	_wave = _label("", 24, CREAM, Control.PRESET_TOP_RIGHT, Vector2(-24, 12), HORIZONTAL_ALIGNMENT_RIGHT)
	_left = _label("", 15, FAINT, Control.PRESET_TOP_RIGHT, Vector2(-24, 44), HORIZONTAL_ALIGNMENT_RIGHT)
	_well = _label("", 15, MINT, Control.PRESET_TOP_LEFT, Vector2(24, 48), HORIZONTAL_ALIGNMENT_LEFT)
	_lure = _label("", 15, GOLD, Control.PRESET_TOP_LEFT, Vector2(24, 70), HORIZONTAL_ALIGNMENT_LEFT)
	_figures = _label("", 13, FAINT, Control.PRESET_TOP_LEFT, Vector2(24, 94), HORIZONTAL_ALIGNMENT_LEFT)
	_flames = Control.new()
	_flames.position = Vector2(24, 16)
	_flames.draw.connect(_draw_flames)
	add_child(_flames)
	_make_keys()
	_make_banner()


func show_score(score: int, chain: int, share: float) -> void:
	var text := grouped(score)
	if text != _score.text:
		_score.text = text
		_score.pivot_offset = _score.size / 2.0
		if _pop != null:
			_pop.kill()
		_score.scale = Vector2.ONE * 1.12
		_pop = create_tween()
		_pop.tween_property(_score, "scale", Vector2.ONE, 0.16)
	_chain.text = "chain x%d" % chain if chain > 1 else ""
	_chain.modulate.a = 0.35 + 0.65 * share


func show_wave(number: int, last: int, left: int) -> void:
	_wave.text = "wave %d of %d" % [number, last] if number > 0 else ""
	_left.text = "%d bug%s" % [left, "" if left == 1 else "s"] if number > 0 else ""


func show_flames(count: int, most: int) -> void:
	if count != _flame_count or most != _most_flames:
		_flame_count = count
		_most_flames = most
		_flames.queue_redraw()


func show_well(held: int, ready: bool) -> void:
	_well.text = "the well holds %d%s" % [held, "   SPACE" if ready else ""] if held > 0 else "the well is empty"
	_well.modulate = Color.WHITE if ready else Color(1, 1, 1, 0.5)


## The keys give way to what is behind them: `is_covering` while the lantern is there.
func show_keys(is_covering: bool, delta: float) -> void:
	var wanted := CLEARED if is_covering else 1.0
	for part in _keys:
		part.modulate.a = move_toward(part.modulate.a, wanted, delta * 4.0)


func show_lure(rest: float) -> void:
	_lure.text = "false light ready   E" if rest <= 0.0 else "false light in %d s" % ceili(rest)
	_lure.modulate = Color.WHITE if rest <= 0.0 else Color(1, 1, 1, 0.5)


func show_figures(fireflies: int, frames: int, exact: bool) -> void:
	_figures.text = "%s fireflies   %d fps   %s targets" % [grouped(fireflies), frames, "exact" if exact else "relaxed"]


func flash_hurt() -> void:
	if _hurt_tween != null:
		_hurt_tween.kill()
	_hurt_tween = create_tween()
	_hurt_tween.tween_method(_set_hurt, 1.0, 0.0, 0.7)


## Lines across the middle that fade away; with no time they stay.
func announce(text: String, below: String, seconds := 1.6) -> void:
	_banner.text = text
	_banner_below.text = below
	if _banner_tween != null:
		_banner_tween.kill()
	var box := _banner.get_parent() as Control
	box.modulate.a = 0.0
	_banner_tween = create_tween()
	_banner_tween.tween_property(box, "modulate:a", 1.0, 0.25)
	if seconds > 0.0:
		_banner_tween.tween_interval(seconds)
		_banner_tween.tween_property(box, "modulate:a", 0.0, 0.6)


## 65535 as "65,535".
static func grouped(number: int) -> String:
	var digits := str(number)
	var parts := PackedStringArray()
	while digits.length() > 3:
		parts.insert(0, digits.right(3))
		digits = digits.left(-3)
	parts.insert(0, digits)
	return ",".join(parts)


func _set_hurt(strength: float) -> void:
	_hurt.material.set_shader_parameter("strength", strength)


# Darkens an edge of the screen, so that what stands there is read over ground that glows.
func _shade(edge: Control.LayoutPreset, height: float) -> Control:
	var is_top := edge == Control.PRESET_TOP_WIDE
	var gradient := Gradient.new()
	gradient.set_color(0, Color(0.01, 0.015, 0.05, 0.72))
	gradient.set_color(1, Color(0.01, 0.015, 0.05, 0.0))
	var shade := TextureRect.new()
	shade.texture = GradientTexture2D.new()
	shade.texture.gradient = gradient
	shade.texture.width = 4
	shade.texture.fill_from = Vector2(0, 0 if is_top else 1)
	shade.texture.fill_to = Vector2(0, 1 if is_top else 0)
	shade.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	shade.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(shade)
	shade.set_anchors_and_offsets_preset(edge)
	shade.offset_top = 0.0 if is_top else -height
	shade.offset_bottom = height if is_top else 0.0
	return shade


func _label(
	text: String, size: int, color: Color, preset: Control.LayoutPreset, place: Vector2, alignment: HorizontalAlignment
) -> Label:
	var label := Label.new()
	label.text = text
	label.horizontal_alignment = alignment
	label.mouse_filter = Control.MOUSE_FILTER_IGNORE
	label.add_theme_font_size_override(&"font_size", size)
	label.add_theme_color_override(&"font_color", color)
	label.add_theme_constant_override(&"outline_size", size / 4)
	label.add_theme_color_override(&"font_outline_color", Color(0.02, 0.03, 0.08, 0.8))
	add_child(label)
	label.set_anchors_preset(preset)
	label.grow_horizontal = {
		HORIZONTAL_ALIGNMENT_CENTER: Control.GROW_DIRECTION_BOTH, HORIZONTAL_ALIGNMENT_RIGHT: Control.GROW_DIRECTION_BEGIN,
		HORIZONTAL_ALIGNMENT_LEFT: Control.GROW_DIRECTION_END,
	}[alignment]
	label.offset_left = place.x
	label.offset_right = place.x
	label.offset_top = place.y
	return label


func _draw_flames() -> void:
	for index in _most_flames:
		var foot := Vector2(9 + index * 21, 22)
		var lit := index < _flame_count
		var outer := PackedVector2Array()
		var inner := PackedVector2Array()
		for step in 17:
			var turn := TAU * step / 16.0
			# A drop: round below, drawn out to a tip above.
			var drop := Vector2(sin(turn) * (0.62 + 0.38 * cos(turn)), cos(turn) - 0.35 * pow(maxf(-cos(turn), 0.0), 3.0))
			outer.append(foot + Vector2(drop.x * 9.0, drop.y * 9.0 - 8.0))
			inner.append(foot + Vector2(drop.x * 4.5, drop.y * 5.0 - 5.5))
		if lit:
			_flames.draw_colored_polygon(outer.slice(0, 16), GOLD)
			_flames.draw_colored_polygon(inner.slice(0, 16), CREAM)
		_flames.draw_polyline(outer, Color(GOLD, 0.9 if lit else 0.28), 1.2, true)


func _make_keys() -> void:
	var line := HBoxContainer.new()
	line.alignment = BoxContainer.ALIGNMENT_CENTER
	line.mouse_filter = Control.MOUSE_FILTER_IGNORE
	line.add_theme_constant_override(&"separation", 6)
	add_child(line)
	_keys.append(line)
	line.set_anchors_and_offsets_preset(Control.PRESET_BOTTOM_WIDE)
	line.grow_vertical = Control.GROW_DIRECTION_BEGIN
	line.offset_top = -12
	line.offset_bottom = -12
	for pair in KEYS:
		var cap := Label.new()
		cap.text = " %s " % pair[0]
		cap.add_theme_font_size_override(&"font_size", 11)
		cap.add_theme_color_override(&"font_color", Color(0.75, 0.85, 1.0))
		var style := StyleBoxFlat.new()
		style.bg_color = Color(0.09, 0.12, 0.24, 0.8)
		style.border_color = Color(0.45, 0.56, 0.85, 0.6)
		style.set_border_width_all(1)
		style.set_corner_radius_all(4)
		cap.add_theme_stylebox_override(&"normal", style)
		cap.size_flags_vertical = Control.SIZE_SHRINK_CENTER
		line.add_child(cap)
		var meaning := Label.new()
		meaning.text = pair[1] + "  "
		meaning.add_theme_font_size_override(&"font_size", 12)
		meaning.add_theme_color_override(&"font_color", Color(FAINT, 0.8))
		meaning.add_theme_constant_override(&"outline_size", 4)
		meaning.add_theme_color_override(&"font_outline_color", Color(0.02, 0.03, 0.08, 0.8))
		line.add_child(meaning)


func _make_banner() -> void:
	var box := VBoxContainer.new()
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	box.add_theme_constant_override(&"separation", -4)
	box.modulate.a = 0.0
	add_child(box)
	box.anchor_left = 0.0
	box.anchor_right = 1.0
	box.anchor_top = 0.26
	box.anchor_bottom = 0.26
	_banner = Label.new()
	_banner_below = Label.new()
	for pair: Array in [[_banner, 54, GOLD], [_banner_below, 19, CREAM]]:
		var label: Label = pair[0]
		label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
		label.mouse_filter = Control.MOUSE_FILTER_IGNORE
		label.add_theme_font_size_override(&"font_size", pair[1])
		label.add_theme_color_override(&"font_color", pair[2])
		label.add_theme_constant_override(&"outline_size", 12)
		label.add_theme_color_override(&"font_outline_color", Color(0.02, 0.03, 0.08, 0.75))
		box.add_child(label)
