"""A throw-away project whose editor is driven by a GDScript plugin, headless or on a virtual display."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from tests.bridge.engine_project import GODOT

from .node_project import ROOT, NodeProject, Run, results_of

_DRIVER_CONFIGURATION = '[plugin]\nname="driver"\ndescription=""\nauthor=""\nversion="1"\nscript="driver.gd"\n'
_DRIVER = """@tool
extends EditorPlugin

func _enter_tree() -> void:
	OS.low_processor_usage_mode = false
	_drive.call_deferred()

func _drive() -> void:
	# The first start of an editor scans the project, then opens its main scene: who opens another one before that loses it again.
	for wait in 600:
		await frames(1)
		if not EditorInterface.get_resource_filesystem().is_scanning() and EditorInterface.get_edited_scene_root() != null:
			break
	await frames(30)
	await run()
	get_tree().quit()

func result(name: String, value: Variant) -> void:
	print("RESULT %s=%s" % [name, JSON.stringify(plain(value), "", false, true)])

func plain(value: Variant) -> Variant:
	match typeof(value):
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return [value.x, value.y]
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return [value.x, value.y, value.z]
		TYPE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY, \\
		TYPE_PACKED_STRING_ARRAY:
			return Array(value).map(plain)
	return value

func frames(count: int) -> void:
	for index in count:
		await get_tree().process_frame

func open(path: String) -> Node:
	EditorInterface.open_scene_from_path(path)
	for wait in 600:
		await frames(1)
		var root := EditorInterface.get_edited_scene_root()
		if root != null and root.scene_file_path == path:
			break
	await frames(10)
	return EditorInterface.get_edited_scene_root()

func select(node: Node) -> void:
	EditorInterface.get_selection().clear()
	if node != null:
		EditorInterface.get_selection().add_node(node)
	EditorInterface.edit_node(node)
	await frames(6)

func all_of(kind: String) -> Array:
	return get_tree().root.find_children("*", kind, true, false)

func count(kind: String) -> int:
	return all_of(kind).size()

func picture(path: String) -> void:
	await frames(8)
	get_tree().root.get_texture().get_image().save_png(path)

"""


class EditorProject(NodeProject):
    """A project with pynav's editor tools switched on and a driver beside them."""

    def __init__(self, folder: Path, **settings: str) -> None:
        enabled = 'PackedStringArray("res://addons/pynav/plugin.cfg", "res://addons/driver/plugin.cfg")'
        super().__init__(folder, **{"editor_plugins__enabled": enabled, **settings})
        (folder / "addons").unlink()
        (folder / "addons").mkdir()
        (folder / "addons" / "pynav").symlink_to(ROOT / "addons" / "pynav")
        self.write("addons/driver/plugin.cfg", _DRIVER_CONFIGURATION)

    def drive(self, body: str, *arguments: str, environment: dict[str, str] | None = None, timeout: float = 120.0) -> Run:
        """Open the editor and run ``func run()``, whose lines `body` are; more functions may follow them.

        With an `environment` (of a virtual display) the editor has a window; without one it runs headless. Settings and caches of
        the editor lie in the project's folder, so that no run sees what another one left.
        """
        self.write("addons/driver/driver.gd", _DRIVER + "func run() -> void:\n" + body.strip("\n") + "\n")
        how = ["--headless"] if environment is None else ["--rendering-method", "gl_compatibility", "--audio-driver", "Dummy"]
        private = {f"XDG_{kind}_HOME": str(self.folder / ".home" / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
        done = subprocess.run(
            [str(GODOT), *how, "--editor", "--path", str(self.folder), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**(environment or os.environ), **private},
        )
        run = Run(done.returncode, done.stdout + done.stderr)
        run.results.update(results_of(run.output))
        return run


def told(run: Run) -> list[str]:
    """Lines of the output that speak of trouble."""
    words: tuple[Any, ...] = ("ERROR", "WARNING", "leaked", "orphan", "Traceback")
    return [line for line in run.output.splitlines() if any(word in line for word in words)]
