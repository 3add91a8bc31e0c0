"""A throw-away Godot project with Python classes in it, and running the real engine on it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tools import build_bridge

ROOT = Path(__file__).resolve().parents[2]
GODOT = Path(os.environ.get("PYNAV_ENGINE") or os.environ.get("GODOT") or ROOT / ".dev" / "godot" / "godot")
LEAK_WORDS = ("leaked", "orphan", "still in use", "unclaimed", "ObjectDB instances")

GDEXTENSION = """[configuration]
entry_symbol = "pynav_bridge_entry"
compatibility_minimum = "4.6"
reloadable = false
[libraries]
linux.debug.x86_64 = "res://bin/{library}"
linux.release.x86_64 = "res://bin/{library}"
linux.debug.arm64 = "res://bin/{library}"
linux.release.arm64 = "res://bin/{library}"
"""

SCRIPT_HEAD = """extends SceneTree

func result(name: String, value: Variant) -> void:
	print("RESULT %s=%s" % [name, var_to_str(value).replace("\\n", "")])

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
    results: dict[str, str] = field(default_factory=dict)

    def lines_with(self, text: str) -> list[str]:
        """Lines of the output that hold a text."""
        return [line for line in self.output.splitlines() if text in line]

    def errors(self) -> list[str]:
        """Errors that the engine printed."""
        return [line for line in self.output.splitlines() if re.match(r"\s*(SCRIPT |USER )?ERROR:", line)]

    def leaks(self) -> list[str]:
        """Lines that speak of leaks."""
        return [line for line in self.output.splitlines() if any(word in line for word in LEAK_WORDS)]


class EngineProject:
    """A Godot project in a folder of its own; its Python modules lie in `python/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "python"
        self.library = build_bridge.engine_library().name
        (folder / "bin" / "pynav_runtime").mkdir(parents=True)
        self.python.mkdir()
        (self.python / ".gdignore").touch()
        shutil.copy(build_bridge.engine_library(), folder / "bin" / self.library)
        self.write("test.gdextension", GDEXTENSION.format(library=self.library))
        self.write(".godot/extension_list.cfg", "res://test.gdextension\n")
        self.write(
            "project.godot",
            'config_version=5\n[application]\nconfig/name="bridge test"\n'
            'config/features=PackedStringArray("4.6")\nrun/main_scene="res://main.tscn"\n',
        )
        self.write("main.tscn", '[gd_scene format=3]\n[node name="Main" type="Node"]\n')
        self.modules()
        self.runtime()

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def modules(self, *scene: str, editor: tuple[str, ...] = ()) -> None:
        """Name the modules that the bridge imports."""
        lines = [f"scene = {name}" for name in scene] + [f"editor = {name}" for name in editor]
        self.write("entry_modules.cfg", "\n".join(lines) + "\n")

    def runtime(self, **changes: str) -> None:
        """Write the runtime's configuration: the development one, with the project's own modules."""
        lines = []
        for line in build_bridge.CONFIGURATION.read_text().splitlines():
            key = line.partition("=")[0].strip()
            if key == "modules":
                line = f"modules = {self.folder / 'entry_modules.cfg'}"
            if key in changes:
                line = f"{key} = {changes[key]}"
            lines.append(line)
        lines.append(f"path = {self.python}")
        self.write("bin/pynav_runtime/pynav_python.cfg", "\n".join(lines) + "\n")

    def python_module(self, name: str, text: str) -> None:
        """Write a Python module and let the bridge import it at level SCENE."""
        (self.python / f"{name}.py").write_text(text, encoding="utf-8")

    def run(
        self,
        *arguments: str,
        environment: dict[str, str] | None = None,
        timeout: float = 120.0,
        fixed_fps: bool = True,
        cwd: Path | None = None,
    ) -> Run:
        """Run the engine headless on the project."""
        command = [
            str(GODOT),
            "--headless",
            "--path",
            str(self.folder),
            *(["--fixed-fps", "60"] if fixed_fps else []),
            *arguments,
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**os.environ, **(environment or {})},
            cwd=cwd,
            errors="replace",
        )
        run = Run(done.returncode, done.stdout + done.stderr)
        for line in run.output.splitlines():
            match = re.match(r"RESULT (\w+)=(.*)", line)
            if match:
                run.results[match[1]] = match[2]
        return run

    def run_script(self, body: str, *arguments: str, environment: dict[str, str] | None = None, timeout: float = 120.0) -> Run:
        """Run a GDScript `SceneTree` whose `run()` is `body` (tab-indented lines); `result(name, value)`
        gives values back.
        """
        text = SCRIPT_HEAD + body
        self.write("test_script.gd", text)
        return self.run("--script", "res://test_script.gd", *arguments, environment=environment, timeout=timeout)
