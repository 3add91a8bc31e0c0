@tool
extends EditorPlugin
## What plugin.cfg names: it has the extension switch its editor tools on and off. The tools themselves are Python classes, which
## exist only where the extension is loaded, so that they are asked for by name.

const SWITCH := &"PynavEditorSwitch"


func _enter_tree() -> void:
	if ClassDB.class_exists(SWITCH):
		_turn.call_deferred(true)
	else:
		push_warning("pynav: the extension is not loaded, its editor tools are missing; the messages above say why.")


func _exit_tree() -> void:
	if ClassDB.class_exists(SWITCH):
		_turn.call_deferred(false)


static func _turn(on: bool) -> void:
	ClassDB.instantiate(SWITCH).turn(on)
