"""Makes the kernel library: ``python -m pynav.kernels.build [--force]``.

Numba gives the unoptimised LLVM code of each kernel's entry; LLVM's passes then run once for each processor baseline, all
but the entry is made internal, and the object files are linked with stubs for the names that only the error path of the
wrapper mentions (kernels neither raise nor allocate, so none is ever called). An object is kept under a digest of the
sources it depends on: only what changed is compiled again.
"""

import os

os.environ["NUMBA_OPT"] = "0"  # LLVM's passes run below, for each baseline
os.environ.setdefault("NUMBA_CPU_NAME", "generic")
os.environ.setdefault("NUMBA_CPU_FEATURES", "")

import hashlib
import importlib
import json
import multiprocessing
import pkgutil
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pynav.kernels import library, pool
from pynav.kernels.errors import KernelError
from pynav.kernels.kernel import Kernel, registered_kernels
from pynav.kernels.source import file_digest, source_files

OBJECTS = pool.BUILT / "objects"
# fmt: off
STUBBED_FUNCTIONS = (
    "NRT_Free", "NRT_MemInfo_call_dtor", "NRT_decref", "NRT_incref", "PyBytes_FromStringAndSize", "PyErr_Clear",
    "PyErr_SetNone", "PyErr_SetString", "PyErr_WriteUnraisable", "PyUnicode_FromString", "PyUnicode_FromStringAndSize",
    "Py_DecRef", "Py_IncRef", "PyErr_SetObject", "PyErr_Occurred", "PyErr_Format", "PyObject_Str", "numba_do_raise",
    "numba_gil_ensure", "numba_gil_release", "numba_runtime_build_excinfo_struct", "numba_unpickle", "numba_unpack_slice",
)
# fmt: on
# fmt: off
STUBBED_OBJECTS = (
    "PyExc_RuntimeError", "PyExc_StopIteration", "PyExc_SystemError", "PyExc_ValueError", "PyExc_TypeError",
    "PyExc_ZeroDivisionError", "PyExc_OverflowError",
)
# fmt: on


def import_kernel_modules() -> None:
    """Import every module of kernels below ``pynav`` (files named ``_*_kernels.py``), which registers them."""
    package = importlib.import_module("pynav")
    for module in pkgutil.walk_packages(package.__path__, "pynav."):
        last = module.name.rsplit(".", 1)[-1]
        if last.startswith("_") and last.endswith("_kernels"):
            importlib.import_module(module.name)


def baselines() -> list[int]:
    """Processor levels to build for on this machine."""
    return [1, 3] if platform.machine() in ("x86_64", "AMD64") else [1]


def _tool_digest() -> str:
    import llvmlite
    import numba

    parts = [numba.__version__, llvmlite.__version__, platform.machine(), sys.version.split()[0]]
    for name in ("build.py", "lane_code.py", "numba_compiler.py", "signature.py"):
        parts.append(file_digest(Path(__file__).with_name(name)))
    return "|".join(parts)


def _kernel_key(kernel: Kernel, tools: str) -> str:
    parts = [tools, kernel.name, *(file_digest(path) for path in source_files(kernel.function))]
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:24]


def _object_file(kernel: Kernel, key: str, level: int) -> Path:
    return OBJECTS / f"{kernel.symbol}.{key}.{level}.o"


def _compile(task: tuple[str, str]) -> str:
    """Compile one kernel for every baseline (runs in a worker process)."""
    import llvmlite.binding as llvm

    from pynav.kernels import numba_compiler

    name, key = task
    kernel = registered_kernels()[name]
    entry = numba_compiler.compile_entry(kernel)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for level in baselines():
        module = llvm.parse_assembly(entry.inspect_llvm())
        for function in module.functions:
            if not function.is_declaration and function.name != entry.native_name:
                function.linkage = "internal"
        module.get_function(entry.native_name).name = kernel.symbol
        processor = library.LEVELS[level] if platform.machine() in ("x86_64", "AMD64") else "generic"
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=processor, features="", opt=3, reloc="pic", codemodel="default"
        )
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = True
        options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        target = _object_file(kernel, key, level)
        temporary = target.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(machine.emit_object(module))
        os.replace(temporary, target)
    return name


def _link(objects: list[Path], target: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise KernelError(
            "kernels: expected a C compiler (gcc, cc or clang), found none; on Debian: apt-get install gcc libc6-dev"
        )
    stubs = OBJECTS / "stubs.c"
    lines = ["#include <stdlib.h>", "/* Named only on paths that kernels never take. */"]
    lines += [f'__attribute__((visibility("hidden"))) void {name}(void) {{ abort(); }}' for name in STUBBED_FUNCTIONS]
    lines += [f'__attribute__((visibility("hidden"))) void *{name};' for name in STUBBED_OBJECTS]
    stubs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary = target.with_suffix(f".{os.getpid()}.tmp")
    names = [path.name for path in objects]
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-s", "-Wl,-z,defs", "-o", str(temporary), *names, stubs.name, "-lm"],
        cwd=OBJECTS, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise KernelError("kernels: linking failed: " + " ".join(done.stderr.strip().splitlines()[-3:]))
    os.replace(temporary, target)


def build(force: bool = False) -> int:
    """Make what is missing or stale.

    Args:
        force: compile everything again.

    Returns:
        Number of kernels compiled.

    Raises:
        KernelError: no compiler, or linking failed.
    """
    pool.build_pool()
    import_kernel_modules()
    kernels = registered_kernels()
    OBJECTS.mkdir(parents=True, exist_ok=True)
    tools = _tool_digest()
    keys = {name: _kernel_key(kernel, tools) for name, kernel in kernels.items()}
    todo = [
        (name, keys[name])
        for name, kernel in kernels.items()
        if force or not all(_object_file(kernel, keys[name], level).is_file() for level in baselines())
    ]
    if todo:
        _compile_all(todo)
    manifest = _manifest(kernels, keys)
    written = json.dumps(manifest, indent=1, sort_keys=True)
    complete = all(library.library_file(level).is_file() for level in baselines())
    if todo or not complete or not library.MANIFEST.is_file() or library.MANIFEST.read_text(encoding="utf-8") != written:
        for level in baselines():
            _link(
                [_object_file(kernel, keys[name], level) for name, kernel in sorted(kernels.items())], library.library_file(level)
            )
        temporary = library.MANIFEST.with_suffix(".tmp")
        temporary.write_text(written, encoding="utf-8")
        os.replace(temporary, library.MANIFEST)
        _remove_old(kernels, keys)
    return len(todo)


def _compile_all(todo: list[tuple[str, str]]) -> None:
    workers = min(len(todo), os.cpu_count() or 1)
    with multiprocessing.get_context("fork").Pool(workers) as processes:
        for index, name in enumerate(processes.imap_unordered(_compile, todo), 1):
            print(f"[{index}/{len(todo)}] {name}", flush=True)


def _manifest(kernels: dict[str, Kernel], keys: dict[str, str]) -> dict[str, Any]:
    files = {path for kernel in kernels.values() for path in source_files(kernel.function)}
    return {
        "format": library.FORMAT,
        "files": {str(path.resolve().relative_to(library.ROOT)): file_digest(path) for path in files},
        "kernels": {
            name: {"symbol": kernel.symbol, "written": sorted(kernel.written_in_source()), "key": keys[name]}
            for name, kernel in kernels.items()
        },
    }


def _remove_old(kernels: dict[str, Kernel], keys: dict[str, str]) -> None:
    current = {_object_file(kernel, keys[name], level) for name, kernel in kernels.items() for level in baselines()}
    for path in OBJECTS.glob("*.o"):
        if path not in current:
            path.unlink()


if __name__ == "__main__":
    try:
        count = build(force="--force" in sys.argv[1:])
    except KernelError as error:
        sys.exit(str(error))
    print(f"kernel library: {count} compiled, {len(registered_kernels())} in all", flush=True)
