"""Runs programs where everything is out of reach that a player's machine does not have.

`Elsewhere.run` starts a program in a mount namespace of its own, in which the project (without the unpacked engine, whose
libraries Debian's export template uses), its virtual environment, the Python it was made from, and the system's Python are
covered by empty folders, and the game's folder is read-only. Root may always do this; others need user namespaces.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
RUN_LIMIT_SECONDS = 300

PROGRAM_FOLDER = "/nonexistent/programs"

# What a machine with an unlucky set-up may hand to every program.
HOSTILE_ENVIRONMENT = {
    "PATH": PROGRAM_FOLDER,
    "PYTHONHOME": "/nonexistent/python",
    "PYTHONPATH": "/nonexistent/modules",
    "PYTHONSTARTUP": "/nonexistent/startup.py",
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONVERBOSE": "",
    "LANG": "C",
    "LC_ALL": "C",
}


def namespace_command() -> list[str]:
    """The command that starts another one in a mount namespace of its own."""
    return ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]


def namespaces_allowed() -> bool:
    """Whether this machine lets us hide folders."""
    try:
        return subprocess.run([*namespace_command(), "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@dataclass(frozen=True)
class Finished:
    """How a run ended."""

    code: int
    output: str

    def fail_text(self) -> str:
        """For the message of an assertion."""
        return f"exit code {self.code}\n{self.output[-4000:]}"


class Elsewhere:
    """Runs programs where the development environment is out of reach."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(
        self, *command: object, read_only: Path, keep: tuple[Path, ...] = (), environment: Mapping[str, str] | None = None
    ) -> Finished:
        """Runs a command with a hostile environment, from the root folder.

        `read_only` is the folder of the game. `keep` are folders that stay reachable although they lie in a covered one.
        """
        lines = [f"mount --bind {_q(path)} {_q(path)}" for path in keep]
        lines += [f"mount -t tmpfs -o size=1m none {_q(folder)}" for folder in _folders_of_development(keep)]
        lines += [f"mount --bind /dev/null {_q(program)}" for program in _system_pythons()]
        # A bind mount becomes read-only only by a second step.
        lines += [f"mount --bind {_q(read_only)} {_q(read_only)}", f"mount -o remount,bind,ro {_q(read_only)}"]
        lines += [
            "exec env -i "
            + " ".join(f"{key}={_q(value)}" for key, value in self._environment(environment).items())
            + " "
            + " ".join(_q(word) for word in command)
        ]
        script = "set -e\n" + "\n".join(lines)
        result = subprocess.run(
            [*namespace_command(), "sh", "-c", script],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=RUN_LIMIT_SECONDS,
            stdin=subprocess.DEVNULL,
            errors="replace",
        )
        return Finished(result.returncode, result.stdout + result.stderr)

    def _environment(self, more: Mapping[str, str] | None) -> dict[str, str]:
        # A home that can be written to: without one Godot's own release template crashes, with or without an addon.
        return {"HOME": str(self.home), **HOSTILE_ENVIRONMENT, **(more or {})}


def _folders_of_development(keep: tuple[Path, ...]) -> list[Path]:
    """The folders that a player does not have, deepest link resolved, without the unpacked engine."""
    engine = (PROJECT / ".dev" / "godot").resolve()
    found = [entry for entry in PROJECT.iterdir() if entry.is_dir() and entry.name != ".dev"]
    found += [entry.resolve() for entry in (PROJECT / ".dev").iterdir() if entry.is_dir() and entry.name != "godot"]
    prefix = Path(sys.base_prefix).resolve()
    found += [prefix] if prefix not in (Path("/usr"), Path("/usr/local")) else []
    found += [
        folder for place in ("/usr/lib", "/usr/local/lib", "/lib") for folder in Path(place).glob("python3*") if folder.is_dir()
    ]
    unique = sorted({path.resolve() for path in found})
    holds_kept = [path for path in unique if any(kept.resolve().is_relative_to(path) for kept in (*keep, engine))]
    assert not holds_kept, f"can't hide {holds_kept}: the engine or the game lies in it"
    return [path for path in unique if not any(path.is_relative_to(other) and path != other for other in unique)]


def _system_pythons() -> list[Path]:
    found = {path.resolve() for place in ("/usr/bin", "/usr/local/bin") for path in Path(place).glob("python3*")}
    return sorted(path for path in found if path.is_file() and os.access(path, os.X_OK))


def _q(value: object) -> str:
    return shlex.quote(str(value))
