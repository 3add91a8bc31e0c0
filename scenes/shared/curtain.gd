extends CanvasLayer
## What is seen while the land is raised.

var words := ""


func _ready() -> void:
	var ground := ColorRect.new()
	ground.color = Color(0.055, 0.075, 0.11)
	ground.set_anchors_preset(Control.PRESET_FULL_RECT)
	var label := Label.new()
	label.text = words
	label.add_theme_font_size_override(&"font_size", 26)
	label.add_theme_color_override(&"font_color", Color(0.93, 0.78, 0.42))
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	label.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	label.set_anchors_preset(Control.PRESET_FULL_RECT)
	layer = 100
	add_child(ground)
	add_child(label)
