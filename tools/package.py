"""Makes the addon that a game developer unzips into a project: `pynav-<version>-linux-x86_64.zip`.

The zip holds `addons/pynav/` and nothing else: the extension file, the bridge library with the Python runtime beside it, the
editor plugin, icons, licences. The Python sources of the nodes are inside the runtime, compiled. The same inputs give the same
bytes: entries are sorted and carry a fixed time.
"""

from __future__ import annotations

import platform
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from tools import build_bridge, runtime
from tools.progress import DEVELOPMENT, SetupError
from tools.progress import ROOT as PROJECT
from tools.progress import say as say_progress

ADDON = PROJECT / "addons" / "pynav"
PACKAGE_FOLDER = DEVELOPMENT / "build" / "package"
PLATFORM = f"linux-{platform.machine()}"

_FIXED_TIME = (2020, 1, 1, 0, 0, 0)
# Python code and what it reads lies in the runtime; here is what the engine reads.
_ENGINE_SUFFIXES = {".gd", ".uid", ".svg", ".import", ".tres", ".tscn", ".gdshader", ".png"}
_ENGINE_FILES = ("pynav.gdextension", "plugin.cfg")

_README = """# pynav {version}

Flow fields and crowds for Godot 4.6, Linux x86_64. Nothing needs to be installed: the Python that runs the nodes is in `bin/`.

1. Copy `addons/pynav` into your project and open it in Godot.
2. Add a `FlowFieldMap2D` and a `FlowFieldCrowd2D` (or the 3D ones) from the Create dialog. F1 has their documentation.
3. Export as usual. The library and the folder `pynav_runtime` land beside your game and belong to it: ship them together.

What `import` finds in the nodes' Python: the standard library without its network, process and window parts, and numpy {numpy}
without LAPACK (`numpy.linalg` mostly; products work).

Licences: `LICENSE` for pynav, `bin/pynav_runtime/third_party_licenses/` for what it carries. A game that ships pynav ships
these texts with it, which happens by itself, since they lie in the runtime's folder.
"""


class PackageError(SetupError):
    """The addon can't be packed; the message says what is missing and what to do."""


def package(out_dir: Path | None = None, *, say: Callable[[str], None] = say_progress) -> Path:
    """Makes the zip in `out_dir` (by default `.dev/build/package`) and returns its path.

    Raises `PackageError` or `runtime.RuntimeBuildError`, each with one line that says what to do.
    """
    folder = PACKAGE_FOLDER if out_dir is None else Path(out_dir).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"pynav-{runtime.project_version()}-{PLATFORM}.zip"
    with tempfile.TemporaryDirectory(prefix=".package-", dir=folder) as scratch:
        root = Path(scratch) / "root"
        lay_out_addon(root / "addons" / "pynav", say=say)
        fresh = Path(scratch) / target.name
        _zip(root, fresh)
        fresh.replace(target)
    say(f"package: {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def lay_out_addon(target: Path, *, game_packages: Iterable[str] = (), say: Callable[[str], None] = say_progress) -> None:
    """Fills the folder `target` with the addon as it ships. `game_packages` as in `runtime.build`."""
    library = build_bridge.engine_library()
    for needed, remedy in ((ADDON / "pynav.gdextension", "restore it from git"), (library, "run `python3 dev.py setup`")):
        if not needed.is_file():
            raise PackageError(f"{needed.relative_to(PROJECT)} is missing: {remedy}.")
    target.mkdir(parents=True)
    for path in sorted(ADDON.rglob("*")):
        place = path.relative_to(ADDON)
        wanted = path.suffix in _ENGINE_SUFFIXES or str(place) in _ENGINE_FILES
        if path.is_file() and wanted and place.parts[0] != "bin":
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / place)
    (target / "bin").mkdir()
    shutil.copyfile(library, target / "bin" / library.name)
    (target / "bin" / library.name).chmod(0o755)
    runtime.build(target / "bin" / runtime.RUNTIME_NAME, game_packages=game_packages, say=say)
    shutil.copyfile(PROJECT / "LICENSE", target / "LICENSE")
    readme = _README.format(version=runtime.project_version(), numpy=runtime.find_python().numpy)
    (target / "README.md").write_text(readme, encoding="utf-8")


def _zip(root: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(root).as_posix(), _FIXED_TIME)
                executable = path.stat().st_mode & stat.S_IXUSR
                entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    package()
