"""Build the bridge: the library that Godot opens, its second stage, and the compact table of the engine's
API.

Standard library only. Needs the engine's own dump (`.dev/api`), the project's virtual environment
(`.dev/venv`, for cffi) and a C compiler. Everything built is ignored by git:

- ``addons/pynav/bin/libpynav.linux.x86_64.so``  first stage, no Python dependency (Godot opens it)
- ``.dev/build/bridge/pynav_native.so``          second stage, undefined Python symbols come from libpython
- ``.dev/build/bridge/engine_api.txt``           method hashes, properties, constants (see
  `engine_api_table.py`)
- ``.dev/pynav_python.cfg``                      where a development tree finds Python; a release has its own

Run ``python -m tools.build_bridge [--force]``.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from tools import engine_api_table

ROOT = Path(__file__).resolve().parent.parent
DEVELOPMENT = ROOT / ".dev"
API = DEVELOPMENT / "api"
SOURCES = ROOT / "addons" / "pynav" / "bridge" / "native"
BUILD = DEVELOPMENT / "build" / "bridge"
NATIVE_LIBRARY = BUILD / "pynav_native.so"
API_TABLE = BUILD / "engine_api.txt"
CONFIGURATION = DEVELOPMENT / "pynav_python.cfg"

COMPILER_FLAGS = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-g0", "-DNDEBUG", "-std=gnu11", "-Wl,-s"]

FACTS_SCRIPT = """
import json, os, sys, sysconfig
variable, paths = sysconfig.get_config_var, sysconfig.get_paths()
name, folder = variable("INSTSONAME") or "", variable("LIBDIR") or ""
places = [folder, os.path.join(folder, variable("MULTIARCH") or ""), os.path.join(sys.base_prefix, "lib")]
found = [os.path.join(place, name) for place in places if os.path.exists(os.path.join(place, name))]
print(json.dumps({
    "version": sys.version, "home": sys.base_prefix, "include": paths["include"], "stdlib": paths["stdlib"],
    "dynload":
    variable("DESTSHARED") or os.path.join(paths["platstdlib"], "lib-dynload"), "site": paths["purelib"],
    "libpython": found[0] if found and ".so" in name else "",
}))
"""


class BuildError(RuntimeError):
    """The bridge cannot be built; the message says what to do."""


def engine_library() -> Path:
    """Path of the library that `pynav.gdextension` names for this machine."""
    machine = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64"}.get(platform.machine().lower())
    if sys.platform != "linux" or machine is None:
        raise BuildError(f"the bridge builds on Linux x86_64 and arm64, not on {sys.platform} {platform.machine()}")
    return ROOT / "addons" / "pynav" / "bin" / f"libpynav.linux.{machine}.so"


def virtual_environment_python() -> Path:
    """The interpreter of the project's virtual environment."""
    python = DEVELOPMENT / "venv" / "bin" / "python"
    if not python.exists():
        raise BuildError("no virtual environment in .dev/venv: run 'python3 dev.py setup' first")
    return python


def python_facts(python: Path) -> dict[str, str]:
    """Where the interpreter of the virtual environment keeps its library, headers and modules."""
    answer = subprocess.run([str(python), "-c", FACTS_SCRIPT], capture_output=True, text=True, check=True)
    facts: dict[str, str] = json.loads(answer.stdout)
    if not facts["libpython"]:
        raise BuildError(
            "this Python has no shared libpython: use one built with --enable-shared (Debian: apt-get install libpython3-dev)"
        )
    if not Path(facts["include"], "Python.h").exists():
        raise BuildError("the Python headers are missing: apt-get install python3-dev")
    return facts


def compiler() -> str:
    """The C compiler's command."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    raise BuildError("no C compiler: apt-get install gcc libc6-dev")


def run(command: list[str]) -> None:
    """Run a command; its error output goes into the exception."""
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        raise BuildError(f"{Path(command[0]).name} failed:\n{answer.stderr.strip() or answer.stdout.strip()}")


def digest_of_inputs(python: Path, facts: dict[str, str]) -> str:
    """A digest of all that decides what the built files hold."""
    digest = hashlib.sha256()
    inputs = [
        *sorted(SOURCES.iterdir()),
        Path(__file__),
        Path(engine_api_table.__file__),
        API / "gdextension_interface.h",
        API / "extension_api.json",
    ]
    for path in inputs:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    cffi = sorted(p.name for p in Path(facts["site"]).glob("cffi-*"))
    digest.update(json.dumps([sorted(facts.items()), str(python), cffi, str(ROOT)]).encode())
    return digest.hexdigest()


def write_if_changed(path: Path, text: str) -> None:
    """Write a text file, unless it already holds that text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def development_configuration(facts: dict[str, str]) -> str:
    """The text of `.dev/pynav_python.cfg`."""
    lines = [
        "# Written by tools/build_bridge.py: where the bridge finds Python in this development tree.",
        f"libpython = {facts['libpython']}",
        f"native = {NATIVE_LIBRARY}",
        f"api = {API_TABLE}",
        f"home = {facts['home']}",
        f"path = {facts['stdlib']}",
        f"path = {facts['dynload']}",
        f"path = {facts['site']}",
        f"path = {ROOT}",
        f"modules = {ROOT / 'addons' / 'pynav' / 'entry_modules.cfg'}",
    ]
    return "\n".join(lines) + "\n"


def build(force: bool = False) -> bool:
    """Build what is not up to date.

    Parameters
    ----------
    force
        Build even when nothing changed.

    Returns
    -------
    bool
        True when something was built.

    Raises
    ------
    BuildError
        With one message that says what is missing and how to get it.
    """
    header, dump = API / "gdextension_interface.h", API / "extension_api.json"
    if not header.exists() or not dump.exists():
        raise BuildError("the engine's dump is missing in .dev/api: run 'python3 dev.py setup' first")
    python = virtual_environment_python()
    facts = python_facts(python)
    library = engine_library()
    stamp, digest = BUILD / "stamp", digest_of_inputs(python, facts)
    write_if_changed(CONFIGURATION, development_configuration(facts))
    outputs = [library, NATIVE_LIBRARY, API_TABLE]
    if not force and all(p.exists() for p in outputs) and stamp.exists() and stamp.read_text() == digest:
        return False
    BUILD.mkdir(parents=True, exist_ok=True)
    library.parent.mkdir(parents=True, exist_ok=True)
    api = json.loads(dump.read_text(encoding="utf-8"))
    version = api["header"]
    API_TABLE.write_text(engine_api_table.build_table(api), encoding="utf-8")
    run([str(python), str(SOURCES / "generate.py"), str(header), str(SOURCES), str(BUILD), compiler()])
    includes = [f"-I{header.parent}", f"-I{SOURCES}", f"-I{BUILD}"]
    # Compiled beside the target and renamed: a running engine keeps its old file.
    fresh = BUILD / "fresh.so"
    run(
        [
            compiler(),
            *COMPILER_FLAGS,
            "-D_CFFI_NO_LIMITED_API",
            *includes,
            f"-I{facts['include']}",
            str(BUILD / "_pynav_bridge.c"),
            "-o",
            str(fresh),
            "-ldl",
            "-lpthread",
        ]
    )
    fresh.replace(NATIVE_LIBRARY)
    run(
        [
            compiler(),
            *COMPILER_FLAGS,
            "-Wall",
            "-Wextra",
            f"-DPYNAV_API_MAJOR={version['version_major']}",
            f"-DPYNAV_API_MINOR={version['version_minor']}",
            *includes,
            str(SOURCES / "loader.c"),
            "-o",
            str(fresh),
            "-ldl",
        ]
    )
    shutil.copyfile(fresh, library.with_suffix(".fresh"))
    library.with_suffix(".fresh").replace(library)
    fresh.unlink()
    stamp.write_text(digest)
    return True


def main() -> int:
    """Command line."""
    try:
        built = build(force="--force" in sys.argv[1:])
    except BuildError as error:
        print(f"bridge: {error}", file=sys.stderr)
        return 1
    print("bridge: built" if built else "bridge: up to date")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
