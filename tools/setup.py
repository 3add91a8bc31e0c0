"""The whole set-up, in order. Each step looks first whether there is anything to do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools import build_bridge, engine, virtual_environment
from tools.progress import DEVELOPMENT, ROOT, EngineUnavailable, SetupError, run_logged, say, step

STAMPS = DEVELOPMENT / "stamps"
PYTHON = virtual_environment.PYTHON


@dataclass(frozen=True)
class Ready:
    """What the set-up found: the engine, or why there is none."""

    engine: Path | None
    engine_problem: str


def prepare(kind: str = "build", with_engine: bool = True) -> Ready:
    """Do what is missing.

    Parameters
    ----------
    kind
        "build" (enough to play) or "test".
    with_engine
        Whether the engine, the bridge and the imported project are wanted.

    Returns
    -------
    Ready

    Raises
    ------
    SetupError
        A step failed; the message is one line that says what to do.
    """
    virtual_environment.prepare(kind)
    build_kernels()
    if not with_engine:
        return Ready(None, "not asked for")
    try:
        program = engine.prepare()
    except EngineUnavailable as error:
        say(str(error))
        return Ready(None, str(error))
    build_the_bridge()
    import_project(program)
    return Ready(program, "")


def build_kernels() -> None:
    """Build the kernel library in a process of its own, if a source of the core changed."""
    built = ROOT / "pynav" / "kernels" / "built"
    inputs = [*sorted((ROOT / "pynav").rglob("*.py")), ROOT / "pynav" / "kernels" / "pool.c", ROOT / "requirements" / "build.txt"]
    digest = digest_of(path for path in inputs if built not in path.parents)
    if is_current("kernels", digest) and (built / "manifest.json").exists():
        return
    with step("kernels"):
        run_logged(
            [str(PYTHON), "-m", "pynav.kernels.build"], "kernels.log", what="building the kernels", progress=lambda line: line,
        )  # fmt: skip
    set_current("kernels", digest)


def build_the_bridge() -> None:
    """Build the bridge, if its sources, the engine or the Python changed."""
    try:
        if build_bridge.build():
            say("bridge: built")
    except build_bridge.BuildError as error:
        raise SetupError(f"bridge: {' '.join(str(error).split())[:300]}") from error


def import_project(program: Path) -> None:
    """Let the engine import the project's pictures and register the extension, if any of them changed."""
    watched = [ROOT / "project.godot", ROOT / "addons" / "pynav" / "pynav.gdextension"]
    for folder in ("addons", "scenes"):
        watched += [
            path
            for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in {".svg", ".png", ".import", ".gdshader", ".tscn"}
        ]
    digest = digest_of(path for path in watched if path.is_file())
    if is_current("import", digest) and (ROOT / ".godot" / "extension_list.cfg").exists():
        return
    with step("import of the project"):
        # As the editor would write it. A headless engine that meets an extension for the first time crashes when it ends
        # (godotengine/godot issue 111048); with this list it loads the extension at start, as in every later session.
        known = ROOT / ".godot" / "extension_list.cfg"
        if not known.exists():
            known.parent.mkdir(exist_ok=True)
            known.write_text("res://addons/pynav/pynav.gdextension\n", encoding="utf-8")
        run_logged([str(program), "--headless", "--path", str(ROOT), "--import"], "import.log", what="importing the project")
    set_current("import", digest_of(path for path in watched if path.is_file()))


def digest_of(paths: Iterable[Path]) -> str:
    """Digest of the names and contents of files, and of the project's place."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in paths:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_current(name: str, digest: str) -> bool:
    """Whether a step was done with this digest."""
    stamp = STAMPS / name
    return stamp.exists() and stamp.read_text(encoding="utf-8") == digest


def set_current(name: str, digest: str) -> None:
    """Note that a step was done."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / name).write_text(digest, encoding="utf-8")
