"""The virtual environment in ``.dev/venv``: made from a Python with a shared library and headers, with exactly pinned
packages.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.progress import DEVELOPMENT, ROOT, SetupError, install_packages, run_logged, step

FOLDER = DEVELOPMENT / "venv"
PYTHON = FOLDER / "bin" / "python"
OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 14)  # the newest that numba, pinned, is published for

_PROBE = """
import ensurepip, json, os, sys, sysconfig
variable = sysconfig.get_config_var
name, folder = variable("INSTSONAME") or "", variable("LIBDIR") or ""
places = [folder, os.path.join(folder, variable("MULTIARCH") or ""), os.path.join(sys.base_prefix, "lib")]
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "library": any(".so" in name and os.path.exists(os.path.join(place, name)) for place in places),
    "headers": os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")),
    "prefix": sys.base_prefix,
}))
"""


def prepare(kind: str) -> None:
    """Make or complete the environment.

    Parameters
    ----------
    kind
        "build" (enough to play) or "test".

    Raises
    ------
    SetupError
        No usable Python, or the packages could not be installed; one line that says what to do.
    """
    wanted = _digest(kind)
    if PYTHON.exists() and wanted in _stamps():
        return
    _ensure_compiler()
    if not PYTHON.exists() or not _works():
        base = find_base_python()
        with step(f"virtual environment ({base})"):
            if FOLDER.exists() or FOLDER.is_symlink():
                FOLDER.unlink() if FOLDER.is_symlink() else shutil.rmtree(FOLDER)
            run_logged(
                [base, "-m", "venv", str(FOLDER)],
                "venv.log",
                what="making the virtual environment",
                advice="On Debian: apt-get install python3-venv",
            )
    with step(f"packages ({kind})"):
        _install("-r", str(ROOT / "requirements" / f"{kind}.txt"))
        if kind == "test":
            _install("--no-deps", "-r", str(ROOT / "requirements" / "peers.txt"))
    stamps = _stamps() | {wanted} | ({_digest("build")} if kind == "test" else set())
    (FOLDER / "pynav_stamps").write_text("\n".join(sorted(stamps)), encoding="utf-8")


def _install(*what: str) -> None:
    run_logged(
        [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--only-binary", ":all:", *what],
        "pip.log",
        what="installing Python packages",
        advice="Is the network there?",
        progress=_pip_progress,
    )


def _pip_progress(line: str) -> str:
    return line if line.startswith(("Collecting", "Installing", "Downloading")) else ""


def _stamps() -> set[str]:
    path = FOLDER / "pynav_stamps"
    return set(path.read_text(encoding="utf-8").split()) if path.exists() else set()


def _digest(kind: str) -> str:
    texts = [(ROOT / "requirements" / name).read_bytes() for name in ("build.txt", f"{kind}.txt", "peers.txt")]
    return f"{kind}-" + hashlib.sha256(b"".join(texts) + str(ROOT).encode()).hexdigest()[:20]


def _works() -> bool:
    """Whether the environment still runs and lies where it was made (its scripts name its own path)."""
    answer = subprocess.run([str(PYTHON), "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=False)
    return answer.returncode == 0 and Path(answer.stdout.strip()) == FOLDER and not FOLDER.is_symlink()


def find_base_python() -> str:
    """A Python of a supported version with a shared library, headers and venv; installs Debian's as root if need be.

    Raises
    ------
    SetupError
        There is none.
    """
    problem = ""
    for candidate in _candidates():
        found, problem_here = _judge(candidate)
        if found:
            return candidate
        problem = problem or problem_here
    install_packages(["python3-dev", "python3-venv", "libpython3-dev"], f"Python for the engine ({problem or 'none found'})")
    found, problem = _judge("/usr/bin/python3")
    if found:
        return "/usr/bin/python3"
    raise SetupError(f"no usable Python: {problem}; install Python 3.11 or newer with its shared library and headers")


def _candidates() -> list[str]:
    names = [os.path.realpath(sys.executable), sys.executable]
    names += [found for minor in range(NEWEST_PYTHON[1], OLDEST_PYTHON[1] - 1, -1) if (found := shutil.which(f"python3.{minor}"))]
    names.append("/usr/bin/python3")
    return [name for name in dict.fromkeys(names) if name and Path(name).exists()]


def _judge(python: str) -> tuple[bool, str]:
    answer = subprocess.run([python, "-I", "-c", _PROBE], capture_output=True, text=True, check=False)
    if answer.returncode:
        return False, f"{python} lacks ensurepip (python3-venv)" if "ensurepip" in answer.stderr else f"{python} does not run"
    facts = json.loads(answer.stdout)
    version = tuple(facts["version"][:2])
    if not OLDEST_PYTHON <= version <= NEWEST_PYTHON:
        return (
            False,
            f"{python} is {version[0]}.{version[1]}, expected {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} to "
            f"{NEWEST_PYTHON[0]}.{NEWEST_PYTHON[1]}",
        )
    if not facts["library"]:
        return False, f"{python} has no shared libpython"
    if not facts["headers"]:
        return False, f"{python} has no headers"
    return True, ""


def _ensure_compiler() -> None:
    if not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "cc", "gcc", "clang")):
        install_packages(["gcc", "libc6-dev"], "a C compiler is missing")
