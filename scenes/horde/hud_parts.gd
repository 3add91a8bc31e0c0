extends CanvasLayer
## What the HUD is made of: panels, headings, pairs of caption and value, bars, keys, all in one style.

const INK := Color(0.075, 0.085, 0.105, 0.80)
const EDGE := Color(0.80, 0.68, 0.42, 0.55)
const PARCHMENT := Color(0.95, 0.91, 0.82)
const FAINT := Color(0.95, 0.91, 0.82, 0.62)
const GOLD := Color(0.95, 0.76, 0.32)
const EMBER := Color(0.93, 0.37, 0.20)
const BLUE := Color(0.42, 0.68, 0.90)
const GREEN := Color(0.52, 0.75, 0.38)

var _labels: Dictionary[String, Label] = {}


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
