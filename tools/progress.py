"""Steps of the set-up: what they print, how their commands are run, how they fail."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEVELOPMENT = ROOT / ".dev"
LOGS = DEVELOPMENT / "logs"
_TICK_SECONDS = 0.2
_LINE_SECONDS = 10.0  # between progress lines where the output is no terminal


class SetupError(RuntimeError):
    """A step can't be done; the message is one line that says what to do."""


class EngineUnavailable(SetupError):
    """No engine can be had here; what needs none can still be run."""


def say(text: str) -> None:
    """Print a line of progress."""
    print(f"pynav: {text}", flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print a step's title, and its duration at the end."""
    say(f"{title} ...")
    began = time.monotonic()
    yield
    say(f"{title}: done in {time.monotonic() - began:.1f} s")


def run_logged(
    command: list[str],
    log_name: str,
    *,
    what: str,
    advice: str = "",
    progress: Callable[[str], str] | None = None,
    environment: dict[str, str] | None = None,
    folder: Path = ROOT,
) -> str:
    """Run a command with its output in a log file, and show that it is alive.

    Parameters
    ----------
    command
        Program and arguments.
    log_name
        File below ``.dev/logs``.
    what
        What failed, for the one line of the error.
    advice
        What to do about it.
    progress
        Gets the last line of the log and returns what to show.
    environment, folder
        Of the process; by default this process's and the project's.

    Returns
    -------
    str
        The output.

    Raises
    ------
    SetupError
        The command failed or could not be started.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / log_name
    show = _Status()
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, cwd=folder
            )
        except OSError as error:
            raise SetupError(f"{what}: {command[0]} cannot be started ({error.strerror}). {advice}".strip()) from error
        while True:
            try:
                process.wait(_TICK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                show.update(progress(_last_line(log)) if progress else "")
    show.end()
    text = log.read_text(encoding="utf-8", errors="replace")
    if process.returncode:
        reason = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), f"exit code {process.returncode}")
        raise SetupError(f"{what} failed: {reason[:300]} (log: {log.relative_to(ROOT)}) {advice}".strip())
    return text


class _Status:
    """A line that is overwritten on a terminal and repeated seldom elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._began = self._told = time.monotonic()
        self._shown = False

    def update(self, text: str) -> None:
        now = time.monotonic()
        line = f"pynav:   {now - self._began:4.0f} s {text}"
        if self._is_terminal:
            print(f"\r{line[:110]:<110}", end="", flush=True)
            self._shown = True
        elif now - self._told >= _LINE_SECONDS:
            print(line, flush=True)
            self._told = now

    def end(self) -> None:
        if self._shown:
            print("\r" + " " * 110 + "\r", end="", flush=True)


def _last_line(log: Path) -> str:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 400))
        lines = stream.read().decode(errors="replace").replace("\r", "\n").splitlines()
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def is_root_on_debian() -> bool:
    """Whether packages may be installed without asking."""
    return (
        hasattr(os, "geteuid")
        and os.geteuid() == 0
        and Path("/usr/bin/apt-get").exists()
        and Path("/etc/debian_version").exists()
    )


def install_packages(packages: list[str], why: str) -> None:
    """Install Debian packages as root, or say what to install.

    Raises
    ------
    SetupError
        Not root, not Debian, or the installation failed.
    """
    command = f"apt-get install {' '.join(packages)}"
    if not is_root_on_debian():
        raise SetupError(f"{why}: run '{command}' as root, then this command again")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with step(f"{why}: {command}"):
        run_logged(
            ["apt-get", "update"],
            "apt_update.log",
            what="apt-get update",
            advice=f"Run '{command}' yourself.",
            environment=environment,
        )
        run_logged(
            ["apt-get", "install", "-y", "--no-install-recommends", *packages],
            "apt_install.log", what=command, advice=f"Run '{command}' yourself.", environment=environment,
            progress=lambda line: line,
        )  # fmt: skip
