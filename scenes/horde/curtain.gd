extends CanvasLayer
## What is seen while the land is raised.


func _ready() -> void:
	var ground := ColorRect.new()
	ground.color = Color(0.055, 0.075, 0.11)
	ground.set_anchors_preset(Control.PRESET_FULL_RECT)
	var words := Label.new()
	words.text = "The horns sound from the woods ..."
	words.add_theme_font_size_override(&"font_size", 26)
	words.add_theme_color_override(&"font_color", Color(0.93, 0.78, 0.42))
	words.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	words.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	words.set_anchors_preset(Control.PRESET_FULL_RECT)
	layer = 100
	add_child(ground)
	add_child(words)
