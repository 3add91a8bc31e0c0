extends CanvasLayer
## What the HUD is made of: panels, headings, pairs of caption and value, bars, keys, all in one style.

const VIGNETTE := preload("shaders/vignette.gdshader")
const MINIMAP := preload("minimap.gd")

const INK := Color(0.075, 0.085, 0.105, 0.80)
const EDGE := Color(0.80, 0.68, 0.42, 0.55)
const PARCHMENT := Color(0.95, 0.91, 0.82)
const FAINT := Color(0.95, 0.91, 0.82, 0.62)
const GOLD := Color(0.95, 0.76, 0.32)
const EMBER := Color(0.93, 0.37, 0.20)
const BLUE := Color(0.42, 0.68, 0.90)
const GREEN := Color(0.52, 0.75, 0.38)

var minimap: ColorRect

var _labels: Dictionary[String, Label] = {}
var _banner: Label
var _banner_below: Label
var _banner_tween: Tween


func _panel(preset: Control.LayoutPreset, offset: Vector2, least: Vector2) -> PanelContainer:
	var panel := PanelContainer.new()
	var style := StyleBoxFlat.new()
	style.bg_color = INK
	style.border_color = EDGE
	style.set_border_width_all(1)
	style.set_corner_radius_all(5)
	style.shadow_color = Color(0, 0, 0, 0.35)
	style.shadow_size = 6
	style.content_margin_left = 11
	style.content_margin_right = 11
	style.content_margin_top = 6
	style.content_margin_bottom = 7
	panel.add_theme_stylebox_override(&"panel", style)
	panel.custom_minimum_size = least
	panel.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(panel)
	panel.set_anchors_preset(preset)
	panel.offset_left = offset.x
	panel.offset_top = offset.y
	panel.offset_right = offset.x + least.x
	panel.offset_bottom = offset.y + least.y
	return panel


func _column(parent: Control, separation: int) -> VBoxContainer:
	var box := VBoxContainer.new()
	box.add_theme_constant_override(&"separation", separation)
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	parent.add_child(box)
	return box


func _plain(text: String, font_size: int, color: Color) -> Label:
	var label := Label.new()
	label.text = text
	label.add_theme_font_size_override(&"font_size", font_size)
	label.add_theme_color_override(&"font_color", color)
	label.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return label


func _text(parent: Control, key: String, font_size: int, color: Color) -> Label:
	var label := _plain("", font_size, color)
	parent.add_child(label)
	_labels[key] = label
	return label


func _heading(parent: Control, text: String) -> void:
	parent.add_child(_plain(text, 11, Color(GOLD, 0.85)))


func _pair(parent: Control, caption: String, key: String, color: Color) -> Label:
	var row := HBoxContainer.new()
	row.mouse_filter = Control.MOUSE_FILTER_IGNORE
	parent.add_child(row)
	var name_label := _plain(caption, 13, FAINT)
	name_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	row.add_child(name_label)
	return _text(row, key, 14, color)


func _bar(parent: Control, height: float, color: Color) -> ProgressBar:
	var bar := ProgressBar.new()
	bar.max_value = 1.0
	bar.step = 0.001
	bar.value = 1.0
	bar.show_percentage = false
	bar.custom_minimum_size.y = height
	bar.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var back := StyleBoxFlat.new()
	back.bg_color = Color(0, 0, 0, 0.55)
	back.set_corner_radius_all(3)
	var fill := StyleBoxFlat.new()
	fill.bg_color = color
	fill.set_corner_radius_all(3)
	bar.add_theme_stylebox_override(&"background", back)
	bar.add_theme_stylebox_override(&"fill", fill)
	parent.add_child(bar)
	return bar


func _key(parent: Control, text: String) -> void:
	var cap := PanelContainer.new()
	cap.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var style := StyleBoxFlat.new()
	style.bg_color = Color(0.88, 0.83, 0.72)
	style.border_color = Color(0.50, 0.44, 0.35)
	style.border_width_bottom = 2
	style.set_corner_radius_all(3)
	style.content_margin_left = 5
	style.content_margin_right = 5
	cap.add_theme_stylebox_override(&"panel", style)
	cap.add_child(_plain(text, 11, Color(0.16, 0.13, 0.10)))
	cap.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	parent.add_child(cap)


## A line across the screen that fades away.
func announce(text: String, below: String, seconds := 3.5) -> void:
	_banner.text = text
	_banner_below.text = below
	if _banner_tween != null:
		_banner_tween.kill()
	var box := _banner.get_parent() as Control
	box.modulate.a = 0.0
	_banner_tween = create_tween()
	_banner_tween.tween_property(box, "modulate:a", 1.0, 0.35)
	_banner_tween.tween_interval(seconds)
	_banner_tween.tween_property(box, "modulate:a", 0.0, 0.9)


## 65535 as "65,535".
static func grouped(number: int) -> String:
	var digits := str(absi(number))
	var parts := PackedStringArray()
	while digits.length() > 3:
		parts.insert(0, digits.right(3))
		digits = digits.left(-3)
	parts.insert(0, digits)
	return ("-" if number < 0 else "") + ",".join(parts)


func _make_minimap(pixels := Vector2(168, 168)) -> void:
	var whole := pixels + Vector2(12, 12)
	var panel := _panel(Control.PRESET_BOTTOM_RIGHT, -whole - Vector2(14, 14), whole)
	var style := panel.get_theme_stylebox(&"panel") as StyleBoxFlat
	style.set_content_margin_all(6)
	minimap = MINIMAP.new()
	minimap.custom_minimum_size = pixels
	minimap.color = Color(0.1, 0.12, 0.12)
	panel.add_child(minimap)


func _make_banner() -> void:
	var box := VBoxContainer.new()
	box.set_anchors_preset(Control.PRESET_CENTER_TOP)
	box.position = Vector2(-400, 128)
	box.size = Vector2(800, 80)
	box.anchor_left = 0.5
	box.anchor_right = 0.5
	box.offset_left = -400
	box.offset_right = 400
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	box.add_theme_constant_override(&"separation", -4)
	box.modulate.a = 0.0
	add_child(box)
	_banner = _plain("", 38, GOLD)
	_banner_below = _plain("", 17, PARCHMENT)
	for label: Label in [_banner, _banner_below]:
		label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
		label.add_theme_constant_override(&"outline_size", 8)
		label.add_theme_color_override(&"font_outline_color", Color(0.06, 0.05, 0.05, 0.85))
		box.add_child(label)


func _make_vignette() -> void:
	var vignette := ColorRect.new()
	vignette.set_anchors_preset(Control.PRESET_FULL_RECT)
	vignette.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var shade := ShaderMaterial.new()
	shade.shader = VIGNETTE
	vignette.material = shade
	add_child(vignette)
