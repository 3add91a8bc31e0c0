"""How the bridge starts: what it finds, what it refuses, and that the engine starts all the same."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bridge.conftest import MakeProject
from tools import build_bridge

PYTHON = '''
from __future__ import annotations

import os
import sys

from addons.pynav.bridge import *


class Probe(GodotObject, base="Node"):
    """Looks at its interpreter."""

    @method
    def facts(self) -> dict:
        had_ctypes = "ctypes" in sys.modules
        import numpy  # asks for ctypes itself, and does without where there is none

        return {"numpy": int(numpy.arange(4).sum()), "path": sys.path, "home": sys.prefix, "isolated": sys.flags.isolated,
                "site": "site" in sys.modules, "utf8": sys.flags.utf8_mode, "bytecode": sys.dont_write_bytecode,
                "numba": "numba" in sys.modules, "ctypes": had_ctypes, "pycparser": "pycparser" in sys.modules,
                "blas": os.environ.get("OPENBLAS_NUM_THREADS"), "stolen": "stolen" in sys.modules}
'''

SCRIPT = """
func run() -> void:
	var probe = ClassDB.instantiate("Probe")
	result("there", probe != null)
	if probe == null: return
	var facts: Dictionary = probe.facts()
	for name in facts: result(name, facts[name])
	probe.free()
"""


def test_a_hostile_environment_has_no_say(make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project("with blank and ü")
    project.python_module("probe", PYTHON)
    project.modules("probe")
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    for name in ("json", "encodings", "numpy", "stolen", "sitecustomize", "usercustomize"):
        (hostile / f"{name}.py").write_text("raise SystemExit('stolen')\n")
    run = project.run_script(
        SCRIPT,
        environment={
            "PYTHONHOME": str(hostile),
            "PYTHONPATH": str(hostile),
            "PYTHONSTARTUP": str(hostile / "stolen.py"),
            "PYTHONUSERBASE": str(hostile),
            "PYTHONVERBOSE": "1",
            "PYTHONINSPECT": "1",
            "PYTHONDONTWRITEBYTECODE": "",
            "LC_ALL": "C",
            "VIRTUAL_ENV": str(hostile),
        },
    )
    assert run.code == 0, run.output
    assert run.errors() == []
    assert run.results["there"] == "true"
    assert run.results["numpy"] == "6"  # its extension modules found libpython's symbols: it was promoted
    assert str(hostile) not in run.results["path"]
    assert run.results["isolated"] == "1"
    assert run.results["utf8"] == "1"
    assert run.results["bytecode"] == "true"
    assert run.results["blas"] == '"1"'
    for name in ("site", "numba", "ctypes", "pycparser", "stolen"):
        assert run.results[name] == "false", name


def test_the_working_directory_has_no_say(make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project()
    project.python_module("probe", PYTHON)
    project.modules("probe")
    (tmp_path / "probe.py").write_text("raise SystemExit('stolen')\n")
    project.write(
        "s.gd",
        'extends SceneTree\nfunc _initialize() -> void:\n\tprint("RESULT there=%s" % ClassDB.class_exists("Probe"))\n\tquit()\n',
    )
    run = project.run("--script", "res://s.gd", cwd=tmp_path)
    assert run.results["there"] == "true"
    assert run.errors() == []


def test_a_missing_runtime_is_one_line_and_the_engine_starts(make_project: MakeProject) -> None:
    project = make_project()
    shutil.rmtree(project.folder / "bin" / "pynav_runtime")
    run = project.run_script('func run() -> void:\n\tresult("started", true)\n')
    assert run.code == 0
    assert run.results["started"] == "true"
    assert len(run.errors()) == 1, run.output
    assert "no Python runtime" in run.errors()[0]
    assert "pynav_runtime" in run.errors()[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"libpython": "nowhere/libpython3.so"}, "the Python runtime cannot be opened"),
        ({"native": "nowhere/native.so"}, "the bridge's second part cannot be opened"),
    ],
)
def test_a_broken_runtime_is_one_line_and_the_engine_starts(
    make_project: MakeProject, change: dict[str, str], words: str
) -> None:
    project = make_project()
    project.runtime(**change)
    run = project.run_script('func run() -> void:\n\tresult("started", true)\n')
    assert run.code == 0
    assert run.results["started"] == "true"
    assert len(run.errors()) == 1, run.output
    assert words in run.errors()[0]


def test_a_python_without_its_library_is_said_and_the_engine_starts(make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project()
    configuration = project.folder / "bin" / "pynav_runtime" / "pynav_python.cfg"
    kept = [line for line in configuration.read_text().splitlines() if not line.startswith(("path", "home"))]
    configuration.write_text("\n".join([*kept, f"home = {tmp_path}", f"path = {tmp_path}"]) + "\n")
    run = project.run_script('func run() -> void:\n\tresult("started", true)\n')
    assert run.code == 0
    assert run.results["started"] == "true"
    assert any("Python did not start" in line for line in run.errors()), run.output


def test_a_module_that_fails_is_told_and_the_rest_works(make_project: MakeProject) -> None:
    project = make_project()
    project.python_module("probe", PYTHON)
    project.python_module(
        "broken",
        "from addons.pynav.bridge import *\nclass Half(GodotObject, base='Node'):\n    pass\nraise OSError('no luck')\n",
    )
    project.python_module(
        "unfit",
        "from addons.pynav.bridge import *\nclass Unfit(GodotObject, base='Node'):\n    x: set = export(None)\n"
        "class Fit(GodotObject, base='Node'):\n    pass\n"
        "class Label(GodotObject, base='Node'):\n    pass\n"
        "class Default(GodotObject, base='Node'):\n    n: int = export('seven')\n",
    )
    project.modules("broken", "missing_module", "unfit", "probe")
    run = project.run_script(
        SCRIPT + '\tfor name in ["Half", "Unfit", "Fit", "Default"]: result(name, ClassDB.class_exists(name))\n'
    )
    assert run.code == 0
    assert run.results["there"] == "true"
    assert [run.results[name] for name in ("Half", "Unfit", "Fit", "Default")] == [
        "false",
        "false",
        "true",
        "false",
    ]
    errors = run.errors()
    assert len(errors) == 5, run.output
    for words in (
        ("the Python module broken did not load", "OSError: no luck"),
        ("missing_module", "ModuleNotFoundError"),
        ("Unfit", "x", "cannot cross into the engine"),
        ("Label", "already has a class"),
        ("Default", "n", "'seven'"),
    ):
        assert any(all(word in line for word in words) for line in errors), (words, run.output)
    assert run.lines_with('broken.py", line 4')


class FakeEngine:
    """As much of an engine as the loader asks about, with a version and precision of one's choice."""

    def __init__(self, version: tuple[int, int, int], *, doubles: bool = False) -> None:
        self.said: list[tuple[str, str]] = []
        self._version = version
        self._doubles = doubles
        self._kept: list[object] = []
        say = ctypes.CFUNCTYPE(
            None,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_int32,
            ctypes.c_uint8,
        )
        from_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        get_from_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int)
        self.functions: dict[bytes, object] = {
            b"print_error_with_message": say(lambda *a: self.said.append(("error", a[1].decode()))),
            b"print_warning_with_message": say(lambda *a: self.said.append(("warning", a[1].decode()))),
            b"get_godot_version": ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint32))(self._get_version),
            b"variant_destroy": ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda variant: None),
            b"get_variant_from_type_constructor": get_from_type(lambda kind: self._address(from_type(self._copy))),
            b"get_variant_to_type_constructor": get_from_type(lambda kind: self._address(from_type(self._copy))),
        }
        self.get_proc_address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(
            lambda name: self._address(self.functions[name]) if name in self.functions else None
        )

    def _address(self, function: object) -> int | None:
        self._kept.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]

    def _get_version(self, memory: ctypes._Pointer[ctypes.c_uint32]) -> None:
        for index, number in enumerate(self._version):
            memory[index] = number

    def _copy(self, target: int, source: int) -> None:
        ctypes.memmove(target, source, 16 if self._doubles else 8)

    def load(self, library: Path) -> int:
        """Call the entry function, as the engine does."""
        entry = ctypes.CDLL(str(library)).pynav_bridge_entry
        initialization = (ctypes.c_uint64 * 8)()
        return int(entry(self.get_proc_address, None, initialization))


@pytest.fixture
def lonely_library(make_project: MakeProject, tmp_path: Path) -> Path:
    """The loader alone in a folder, without a runtime: it must not start a second Python in the tests' own process."""
    target = tmp_path / "libpynav.so"
    shutil.copy(build_bridge.engine_library(), target)
    return target


@pytest.mark.parametrize(
    ("version", "doubles", "kinds", "words"),
    [
        ((4, 3, 0), False, ["error"], "needs Godot 4.6 or a newer 4.x, this is Godot 4.3.0"),
        ((3, 6, 1), False, ["error"], "this is Godot 3.6.1"),
        ((5, 0, 0), False, ["error"], "this is Godot 5.0.0"),
        ((4, 6, 3), True, ["error"], "precision=double"),
        ((4, 9, 1), False, ["warning", "error"], "tested with Godot 4.6, this is Godot 4.9.1"),
        ((4, 6, 0), False, ["error"], "no Python runtime"),
    ],
)
def test_engine_versions_and_precision(
    lonely_library: Path, version: tuple[int, int, int], doubles: bool, kinds: list[str], words: str
) -> None:
    engine = FakeEngine(version, doubles=doubles)
    assert engine.load(lonely_library) == 1
    assert [kind for kind, _ in engine.said] == kinds
    assert words in engine.said[0][1]


def test_the_loader_holds_no_path_of_the_build_and_needs_no_python(make_project: MakeProject) -> None:
    for library in (build_bridge.engine_library(), build_bridge.NATIVE_LIBRARY):
        data = library.read_bytes()
        for path in {str(build_bridge.ROOT), str(Path.home()), str(build_bridge.BUILD)}:
            assert path.encode() not in data, (library, path)
        if shutil.which("readelf"):
            dynamic = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
            assert not re.search(r"RPATH|RUNPATH|libpython", dynamic), dynamic


def test_the_build_is_not_repeated(make_project: MakeProject) -> None:
    assert build_bridge.build() is False


def test_python_starts_once_and_late(make_project: MakeProject) -> None:
    """Numpy is not imported before somebody needs it: it would cost a third of the start."""
    project = make_project()
    project.python_module(
        "light",
        "import sys\nfrom addons.pynav.bridge import *\nclass Light(GodotObject, base='Node'):\n    @method\n"
        "    def has_numpy(self) -> bool:\n        return 'numpy' in sys.modules\n",
    )
    project.modules("light")
    run = project.run_script(
        'func run() -> void:\n\tvar light := Light.new()\n\tresult("numpy", light.has_numpy())\n\tlight.free()\n'
    )
    assert run.results["numpy"] == "false"
