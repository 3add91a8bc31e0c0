"""A user's hands in the editor: GDScript that follows a driver's `run()`."""

from __future__ import annotations

from pathlib import Path

PICTURE_SIZE = "1600x1000"
# Behind the lines of `run()` of EditorProject.drive.
HANDS = """
func shot(name: String) -> void:
	if DisplayServer.get_name() != "headless":
		await picture(ProjectSettings.globalize_path("res://" + name + ".png"))

func scene() -> Node:
	return EditorInterface.get_edited_scene_root()

func history() -> UndoRedo:
	var manager := EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(scene()))

func button(position: Vector2, pressed: bool, index := MOUSE_BUTTON_LEFT) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = index
	event.pressed = pressed
	event.position = position
	event.global_position = position
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if pressed else 0
	Input.parse_input_event(event)
	await frames(2)

func move(from: Vector2, to: Vector2, held := true) -> void:
	var event := InputEventMouseMotion.new()
	event.position = to
	event.global_position = to
	event.relative = to - from
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if held else 0
	Input.parse_input_event(event)
	await frames(1)

func click(position: Vector2, index := MOUSE_BUTTON_LEFT) -> void:
	await move(position, position, false)
	await button(position, true, index)
	await button(position, false, index)

func drag(points: Array) -> void:
	await move(points[0], points[0], false)
	await button(points[0], true)
	for index in range(1, points.size()):
		await move(points[index - 1], points[index])
	await button(points[-1], false)

func key(code: Key, control := false, shift := false) -> void:
	for pressed in [true, false]:
		var event := InputEventKey.new()
		event.keycode = code
		event.physical_keycode = code
		event.pressed = pressed
		event.ctrl_pressed = control
		event.shift_pressed = shift
		Input.parse_input_event(event)
		await frames(2)

func type_text(text: String) -> void:
	for letter in text:
		var event := InputEventKey.new()
		event.unicode = letter.unicode_at(0)
		event.keycode = OS.find_keycode_from_string(letter.to_upper())
		event.pressed = true
		Input.parse_input_event(event)
	await frames(4)

# Controls of a class that are seen, whose text or tooltip begins so.
func control(kind: String, text := "") -> Control:
	for found in EditorInterface.get_base_control().find_children("*", kind, true, false):
		if found.is_visible_in_tree() and (str(found.get("text")).begins_with(text) or found.tooltip_text.begins_with(text)):
			return found
	return null

func press(kind: String, text: String) -> bool:
	var found := control(kind, text)
	if found != null:
		var window := found.get_window()
		var corner := Vector2() if window == get_tree().root else Vector2(window.position)
		await click(corner + found.get_global_rect().get_center())
	return found != null
"""


def write_settings(folder: Path, light: bool = False, **more: str) -> None:
    """Settings of the editor for pictures: one window, and the colours of a theme."""
    settings = folder / ".home" / "config" / "godot" / "editor_settings-4.6.tres"
    settings.parent.mkdir(parents=True, exist_ok=True)
    lines = ['[gd_resource type="EditorSettings" format=3]', "", "[resource]", "interface/editor/single_window_mode = true"]
    if light:
        lines += ['interface/theme/color_preset = "Light"', 'interface/theme/style = "Modern"']
    lines += [f"{key.replace('__', '/')} = {value}" for key, value in more.items()]
    settings.write_text("\n".join(lines) + "\n", encoding="utf-8")
