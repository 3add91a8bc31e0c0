"""The library made ahead of time: used without numba, its faults noticed and named."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

USE = """
import sys
import numpy as np
from pynav import kernels
{before}
from pynav.grid import TileGrid, FlowField
field = FlowField(TileGrid(np.ones((8, 8), np.uint8)), [(7, 7)])
field.build()
print(kernels.backend_in_use(), field.flow[1, 1], "numba" in sys.modules, "llvmlite" in sys.modules)
"""


def run_in(tree: Path, before: str = "", backend: str = "library") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tree), "PYNAV_BACKEND": backend, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", USE.format(before=before)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tree, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the core with its built library."""
    if not (ROOT / "pynav" / "kernels" / "built" / "manifest.json").exists():
        pytest.fail("the kernel library is not built: python3 dev.py build")
    shutil.copytree(ROOT / "pynav", tmp_path / "pynav", ignore=shutil.ignore_patterns("__pycache__", "objects"))
    return tmp_path


def test_library_works_without_numba_and_from_another_folder(tree: Path) -> None:
    done = run_in(tree)
    assert done.returncode == 0, done.stderr
    name, direction, numba, llvm = done.stdout.rsplit(maxsplit=3)
    assert name.startswith("library ")
    assert (direction, numba, llvm) == ("1", "False", "False")


def test_changed_source_makes_it_stale(tree: Path) -> None:
    source = tree / "pynav" / "grid" / "steps.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    done = run_in(tree)
    assert done.returncode != 0
    assert "the library is stale, pynav/grid/steps.py has changed since; run: python3 dev.py build" in done.stderr


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda built: (built / "manifest.json").unlink(), "expected a library built ahead of time in built/, found none"),
        (lambda built: (built / "manifest.json").write_text("{", encoding="utf-8"), "manifest cannot be read"),
        (
            lambda built: (built / "libpynav_kernels_x86-64.so").unlink(),
            "expected libpynav_kernels_x86-64.so beside the manifest",
        ),
    ],
)
def test_faults_are_named(tree: Path, spoil, message: str) -> None:
    spoil(tree / "pynav" / "kernels" / "built")
    done = run_in(tree)
    assert done.returncode != 0
    assert message in done.stderr


def test_missing_kernel_is_named(tree: Path) -> None:
    manifest = tree / "pynav" / "kernels" / "built" / "manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    del content["kernels"]["pynav.grid._flow_field_kernels.build_flow"]
    manifest.write_text(json.dumps(content), encoding="utf-8")
    done = run_in(tree)
    assert done.returncode != 0
    assert "the library lacks pynav.grid._flow_field_kernels.build_flow" in done.stderr


def test_damaged_library_is_an_error_in_words(tree: Path) -> None:
    for path in (tree / "pynav" / "kernels" / "built").glob("libpynav_kernels*.so"):
        path.write_bytes(b"not a library")
    done = run_in(tree)
    assert done.returncode == 1
    assert "the library cannot be opened" in done.stderr


def test_unknown_backend_is_refused(tree: Path) -> None:
    done = run_in(tree, backend="gpu")
    assert "expected one of python, jit, library, got 'gpu'" in done.stderr


def test_no_build_path_in_the_libraries() -> None:
    built = ROOT / "pynav" / "kernels" / "built"
    libraries = list(built.glob("*.so"))
    assert len(libraries) >= 2
    for path in libraries:
        assert str(ROOT).encode() not in path.read_bytes(), path.name
