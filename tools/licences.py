"""Collects the licence texts of what a runtime, a package and an exported game carry."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

_OVERVIEW = """Licences of the parts of this Python runtime

pynav.txt       pynav itself
python.txt      the Python interpreter and its standard library
numpy/          numpy and the code it contains; OpenBLAS, LAPACK, libgfortran and libquadmath, which numpy's text names
                at its end, are not part of this runtime
cffi.txt        cffi's backend (which contains libffi)
"""

# Printed by the engine itself, so that the text always fits the engine that was exported.
ENGINE_SCRIPT = """extends SceneTree

func _init() -> void:
\tvar out := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
\tout.store_line("This game runs on Godot Engine, https://godotengine.org/license\\n")
\tout.store_line(Engine.get_license_text())
\tout.store_line("\\nThe engine contains these parts:\\n")
\tfor component in Engine.get_copyright_info():
\t\tout.store_line(component.name)
\t\tfor part in component.parts:
\t\t\tout.store_line("\\tfiles: " + ", ".join(part.files))
\t\t\tfor holder in part.copyright:
\t\t\t\tout.store_line("\\t(c) " + holder)
\t\t\tout.store_line("\\tlicence: " + part.license)
\tvar texts := Engine.get_license_info()
\tfor key in texts:
\t\tout.store_line("\\n--- %s ---\\n%s" % [key, texts[key]])
\tout.close()
\tquit()
"""


def collect(folder: Path, standard_library: Path, packages: Path, bundled: Iterable[Path]) -> None:
    """Writes the licences of Python, numpy, cffi and the bundled system libraries into `folder`.

    `bundled` holds the places that the system libraries were copied from. Raises `FileNotFoundError` where a text is missing:
    nothing ships without its licence.
    """
    folder.mkdir(parents=True)
    short = standard_library.name
    shutil.copyfile(
        _first([standard_library / "LICENSE.txt", Path(f"/usr/share/doc/{short}/copyright")], "Python"), folder / "python.txt"
    )
    shutil.copytree(_first(sorted(packages.glob("numpy-*.dist-info/licenses")), "numpy"), folder / "numpy")
    cffi = sorted(packages.glob("cffi-*.dist-info/licenses/LICENSE")) + sorted(packages.glob("cffi-*.dist-info/LICENSE"))
    shutil.copyfile(_first(cffi, "cffi"), folder / "cffi.txt")
    overview = _OVERVIEW
    for library in sorted(bundled):
        package = _debian_package(library)
        name = f"{package}.txt"
        shutil.copyfile(_first([Path(f"/usr/share/doc/{package}/copyright")], library.name), folder / name)
        overview += f"{name:<15} {library.name}\n"
    (folder / "README.txt").write_text(overview, encoding="utf-8")


def _first(places: Iterable[Path], part: str) -> Path:
    tried = list(places)
    for place in tried:
        if place.exists():
            return place
    raise FileNotFoundError(f"No licence text of {part} found (looked for {', '.join(map(str, tried)) or 'its package files'}).")


def _debian_package(library: Path) -> str:
    # The package database may know the file by its place before /lib became a link to /usr/lib.
    for place in (str(library), str(library).removeprefix("/usr")):
        answer = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True, check=False).stdout
        if ":" in answer:
            return answer.split(":")[0]
    return library.name
