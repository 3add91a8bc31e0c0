"""A throw-away Godot project that uses the addon of this checkout, and running the real engine on it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bridge.engine_project import GODOT

ROOT = Path(__file__).resolve().parents[2]
_NOISE = ("Godot Engine v", "TextServer", "OpenGL API", "Vulkan")
_PREAMBLE = """extends SceneTree

func result(name: String, value: Variant) -> void:
	print("RESULT %s=%s" % [name, JSON.stringify(plain(value), "", false, true)])

func plain(value: Variant) -> Variant:
	match typeof(value):
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return [value.x, value.y]
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return [value.x, value.y, value.z]
		TYPE_RECT2, TYPE_RECT2I:
			return [plain(value.position), plain(value.size)]
		TYPE_DICTIONARY:
			var copy := {}
			for key in value:
				copy[str(key)] = plain(value[key])
			return copy
		TYPE_ARRAY, TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, \
		TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_STRING_ARRAY:
			return Array(value).map(plain)
		TYPE_OBJECT:
			return str(value)
	return value

func ticks(count: int) -> void:
	for index in count:
		await physics_frame

func _initialize() -> void:
	await process_frame
	await run()
	quit()

"""


@dataclass
class Run:
    """What one run of the engine gave."""

    code: int
    output: str
    results: dict[str, Any] = field(default_factory=dict)

    def errors(self) -> list[str]:
        """Errors that the engine printed."""
        return [line for line in self.output.splitlines() if re.match(r"\s*(SCRIPT |USER )?ERROR:", line)]

    def warnings(self) -> list[str]:
        """Warnings that the engine printed."""
        return [line for line in self.output.splitlines() if re.match(r"\s*(USER )?WARNING:", line)]

    def unexpected(self) -> list[str]:
        """Everything printed that no test asked for."""
        return [
            line
            for line in self.output.splitlines()
            if line.strip() and not line.startswith(("RESULT ", "NOTE ")) and not line.startswith(_NOISE)
        ]


def results_of(output: str) -> dict[str, Any]:
    """What a script in the engine gave back by ``result(name, value)``."""
    found = [re.match(r"RESULT (\w+)=(.*)", line) for line in output.splitlines()]
    return {match[1]: json.loads(match[2]) for match in found if match}


class NodeProject:
    """A Godot project in a folder of its own, with the addon linked in."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        (folder / ".godot").mkdir(parents=True)
        (folder / "addons").symlink_to(ROOT / "addons")
        self.write(".godot/extension_list.cfg", "res://addons/pynav/pynav.gdextension\n")
        self.settings(**settings)
        self.write("main.tscn", '[gd_scene format=3]\n[node name="Main" type="Node"]\n')

    def settings(self, **settings: str) -> None:
        """Write project.godot; `physics__common__x="1"` becomes ``common/x=1`` of section physics."""
        text = (
            'config_version=5\n[application]\nconfig/name="node test"\nconfig/features=PackedStringArray("4.6")\n'
            'run/main_scene="res://main.tscn"\n'
        )
        for key, value in settings.items():
            section, _, name = key.partition("__")
            text += f"[{section}]\n{name.replace('__', '/')}={value}\n"
        self.write("project.godot", text)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *arguments: str, fixed_fps: int = 60, environment: dict[str, str] | None = None, timeout: float = 180.0) -> Run:
        """Run the engine headless on the project."""
        command = [str(GODOT), "--headless", "--path", str(self.folder)]
        command += ["--fixed-fps", str(fixed_fps)] if fixed_fps else []
        done = subprocess.run(
            [*command, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**os.environ, **(environment or {})},
        )
        run = Run(done.returncode, done.stdout + done.stderr)
        run.results.update(results_of(run.output))
        return run

    def run_script(self, body: str, *arguments: str, **options: Any) -> Run:
        """Run GDScript; `body` holds a function `run()`; `result(name, value)` in it gives values back, `ticks(n)` waits."""
        self.write("test_script.gd", _PREAMBLE + body)
        return self.run("--script", "res://test_script.gd", *arguments, **options)
