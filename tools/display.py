"""A virtual display for pictures on a machine without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tools.progress import SetupError, install_packages, is_root_on_debian

# Drawing is done in software there; the engine needs no sound.
ENGINE_ARGUMENTS = ["--rendering-method", "gl_compatibility", "--audio-driver", "Dummy"]


def has_display() -> bool:
    """Whether a window can be opened."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@contextmanager
def virtual_display(size: str = "1280x720", install: bool = True) -> Iterator[dict[str, str]]:
    """Run Xvfb and give the environment that leads to it.

    Parameters
    ----------
    size
        Width x height in pixels.
    install
        Whether to install Xvfb as root on Debian where it is missing.

    Raises
    ------
    SetupError
        There is no Xvfb, or it does not start.
    """
    if not shutil.which("Xvfb"):
        if not (install and is_root_on_debian()):
            raise SetupError("a picture needs a display: run on a desktop, or apt-get install xvfb")
        install_packages(["xvfb"], "a virtual display for the picture")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "+extension", "GLX", "-nolisten", "tcp"],
        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise SetupError("Xvfb does not start: run it by hand to see why")
        environment = {**os.environ, "DISPLAY": f":{number}"}
        environment.pop("WAYLAND_DISPLAY", None)
        yield environment
    finally:
        server.terminate()
        server.wait()
