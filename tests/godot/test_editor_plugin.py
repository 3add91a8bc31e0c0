"""The editor tools: switched by plugin.cfg, leaving the editor as it was."""

from __future__ import annotations

from tests.godot.editor_project import EditorProject, told


def test_the_plugin_is_switched_on_and_off_and_the_nodes_stay(editor_project: EditorProject) -> None:
    run = editor_project.drive("""
	result("at_start", count("PynavEditorPlugin"))
	EditorInterface.set_plugin_enabled("pynav", false)
	await frames(4)
	result("after_off", [count("PynavEditorPlugin"), ClassDB.can_instantiate("FlowFieldMap2D")])
	EditorInterface.set_plugin_enabled("pynav", true)
	EditorInterface.set_plugin_enabled("pynav", false)
	EditorInterface.set_plugin_enabled("pynav", true)
	await frames(4)
	result("after_on", count("PynavEditorPlugin"))
""")
    assert run.code == 0, run.output
    assert run.results == {"at_start": 1, "after_off": [0, True], "after_on": 1}
    assert told(run) == []
