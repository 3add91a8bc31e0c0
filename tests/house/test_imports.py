"""Who may import whom: the rules of ARCHITECTURE.md, read from the files."""

import ast
from pathlib import Path

import pytest

from tests.house.sources import ROOT, Source, imported_modules, sources

# package: what else of the project it may import.
GROUND = ("pynav.kernels", "pynav.errors", "pynav.constants")
MAY_IMPORT = {
    "pynav.kernels": ("pynav.kernels",),
    "pynav.jobs": ("pynav.jobs", *GROUND),
    "pynav.grid": ("pynav.grid", "pynav.jobs", *GROUND),
    "pynav.sectors": ("pynav.sectors", "pynav.grid", "pynav.jobs", *GROUND),
    "pynav.portals": ("pynav.portals", "pynav.grid", "pynav.jobs", *GROUND),
    "pynav.evaluation": (
        "pynav.evaluation",
        "pynav.router",
        "pynav.world",
        "pynav.crowd",
        "pynav.portals",
        "pynav.sectors",
        "pynav.grid",
        *GROUND,
    ),
    "pynav.drawing": ("pynav.drawing", "pynav.picture", "pynav.portals", "pynav.grid", *GROUND),
    "pynav.formations": ("pynav.formations", "pynav.crowd", "pynav.grid", "pynav.jobs", *GROUND),
    "pynav.homing": ("pynav.homing", "pynav.jobs", "pynav.snapshot", *GROUND),
    "pynav.commands": ("pynav.commands", "pynav.crowd", "pynav.grid", "pynav.snapshot", *GROUND),
    "pynav.crowd": ("pynav.crowd", "pynav.sectors", "pynav.grid", "pynav.jobs", *GROUND),
}
LIBRARIES_OF_THE_CORE = {"numpy", "cffi"}
COMPILER_FILES = {"pynav.kernels.numba_compiler", "pynav.kernels.lane_code", "pynav.kernels.build"}


def is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def strangers(source: Source, allowed: tuple[str, ...], whole: str) -> list[str]:
    """Imports of a file below ``whole`` that no allowed package holds."""
    return [
        f"{source.place}:{line} imports {module}"
        for line, module in imported_modules(source)
        if is_below(module, whole) and module != whole and not any(is_below(module, package) for package in allowed)
    ]


def is_for_types_only(source: Source, line: int) -> bool:
    """Whether a line stands below ``if TYPE_CHECKING``."""
    for node in ast.walk(source.tree):
        is_guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        if is_guard and any(inner.lineno <= line <= (inner.end_lineno or 0) for inner in node.body):
            return True
    return False


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_of_the_core_import_what_lies_below_them(package: str) -> None:
    files = sources(package.replace(".", "/"))
    assert files
    wrong = []
    for source in files:
        for found in strangers(source, MAY_IMPORT[package], "pynav"):
            if not is_for_types_only(source, int(found.split(":")[1].split(" ")[0])):
                wrong.append(found)
    assert wrong == []


def test_every_package_of_the_core_has_a_rule() -> None:
    packages = {f"pynav.{path.parent.name}" for path in (ROOT / "pynav").glob("*/__init__.py")}
    assert packages - {"pynav.built"} == set(MAY_IMPORT)


def test_the_core_knows_neither_the_engine_nor_tools_nor_tests() -> None:
    wrong = [
        f"{source.place}:{line} imports {module}"
        for source in sources("pynav")
        for line, module in imported_modules(source)
        if module.split(".")[0] in ("addons", "tools", "tests", "benchmarks", "scenes")
    ]
    assert wrong == []


def test_the_bridge_knows_neither_nodes_nor_core() -> None:
    wrong = []
    for source in sources("addons/pynav/bridge"):
        for line, module in imported_modules(source):
            inside_addon = is_below(module, "addons") and not is_below(module, "addons.pynav.bridge") and module.count(".") > 1
            if inside_addon or module.split(".")[0] in ("pynav", "tools", "tests"):
                wrong.append(f"{source.place}:{line} imports {module}")
    assert wrong == []


def test_numba_is_the_compilers_alone() -> None:
    """Nothing that a game loads may import numba, llvmlite or any package that a release doesn't ship."""
    import sys

    known = (
        set(sys.stdlib_module_names)
        | LIBRARIES_OF_THE_CORE
        | {"pynav", "addons", "_pynav_bridge", "_pynav_calls", "_cffi_backend"}
    )
    wrong = []
    for source in sources("pynav", "addons"):
        if source.module in COMPILER_FILES or "native" in source.path.parts:
            continue
        for line, module in imported_modules(source):
            if module and module.split(".")[0] not in known:
                wrong.append(f"{source.place}:{line} imports {module}")
    assert wrong == []


def test_kernel_files_are_imported_by_their_neighbours_alone() -> None:
    wrong = []
    for source in sources("pynav", "addons", "tools"):
        own_package = source.module if source.path.stem == "__init__" else source.module.rpartition(".")[0]
        for line, module in imported_modules(source):
            parts = module.split(".")
            for index, part in enumerate(parts):
                if part.startswith("_") and part.endswith("_kernels"):
                    package = ".".join(parts[:index])
                    is_neighbour = package == own_package or source.module == "pynav.world"
                    # Kernels may take inline functions and flow codes from kernel files of packages below them.
                    is_kernel_file = source.path.stem.startswith("_") and source.path.stem.endswith("_kernels")
                    if not is_neighbour and not is_kernel_file:
                        wrong.append(f"{source.place}:{line} imports {module}")
    assert wrong == []


def test_scenes_name_the_addon_alone() -> None:
    """Demos use what a game would have: no script of theirs reaches for the core's or the bridge's files."""
    scripts = [path for path in (ROOT / "scenes").rglob("*") if path.suffix in (".gd", ".tscn", ".tres")]
    assert scripts
    wrong = [
        str(path.relative_to(ROOT))
        for path in scripts
        for hidden in ("res://pynav/", "res://addons/pynav/bridge", "res://addons/pynav/nodes", "res://tests")
        if hidden in path.read_text(encoding="utf-8")
    ]
    assert wrong == []


def test_a_stranger_is_found(tmp_path: Path) -> None:
    """The rules are able to fail."""
    path = tmp_path / "bad.py"
    path.write_text("def late():\n    from pynav.crowd.crowd import Crowd\n    return Crowd\n", encoding="utf-8")
    source = Source(ROOT / "pynav" / "grid" / "bad.py", "pynav.grid.bad", ast.parse(path.read_text(encoding="utf-8")))
    assert strangers(source, MAY_IMPORT["pynav.grid"], "pynav") == [
        "pynav/grid/bad.py:2 imports pynav.crowd.crowd",
        "pynav/grid/bad.py:2 imports pynav.crowd.crowd.Crowd",
    ]
