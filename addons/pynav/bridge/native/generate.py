"""Generate the C source of the bridge's second stage (a build step, run by tools/build_bridge.py with cffi
at hand).

    python generate.py gdextension_interface.h SOURCE_FOLDER BUILD_FOLDER CC

Writes ``interface_calls.h`` (a C function ``gde_NAME`` for each function of Godot's interface; calling it
from Python costs far less than calling through a pointer) and ``_pynav_bridge.c`` (the cffi module).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import cffi  # type: ignore[import-untyped,unused-ignore]


def declarations(header: Path, compiler: str) -> str:
    """The interface header as cffi takes it: preprocessed, without the system's own declarations."""
    text = re.sub(r"#\s*include.*", "", header.read_text(encoding="utf-8"))
    answer = subprocess.run([compiler, "-E", "-P", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True)
    return re.sub(r"typedef uint(32|16)_t char(32|16)_t;", "", answer.stdout)


def interface_functions(header: Path, preprocessed: str) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """(name, type, result, [(type, name)]) of each function that the engine offers."""
    names = re.findall(
        r"@name\s+(\w+)(?:(?!\*/).)*?\*/\s*typedef\s+[^(]*\(\s*\*\s*(\w+)\s*\)",
        header.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    found = []
    for name, type_name in names:
        match = re.search(rf"typedef\s+([^;(]*?)\(\s*\*\s*{type_name}\s*\)\s*\(([^;]*)\)\s*;", preprocessed)
        if match is None or "..." in match[2]:
            continue
        arguments = []
        for argument in [part.strip() for part in match[2].split(",")]:
            if argument in ("", "void"):
                continue
            pieces = re.match(r"(.*?[\s\*])(\w+)$", argument, re.DOTALL)
            if pieces is None:
                raise SystemExit(f"cannot read the argument {argument!r} of {name}")
            arguments.append((pieces[1].strip(), pieces[2]))
        found.append((name, type_name, match[1].strip(), arguments))
    return found


def interface_calls(functions: list[tuple[str, str, str, list[tuple[str, str]]]]) -> tuple[str, str]:
    """(C definitions, cffi declarations) of the ``gde_`` functions."""
    definitions, loads, declared = [], [], []
    for name, type_name, result, arguments in functions:
        parameters = ", ".join(f"{kind} {label}" for kind, label in arguments) or "void"
        values = ", ".join(label for _, label in arguments)
        definitions.append(
            f"static {type_name} gde_pointer_{name};\n"
            f"static {result} gde_{name}({parameters}) {{ {'' if result == 'void' else 'return '}"
            f"gde_pointer_{name}({values}); }}\n"
        )
        loads.append(f'\tgde_pointer_{name} = ({type_name})get("{name}");\n')
        declared.append(f"{result} gde_{name}({parameters});\n")
    text = (
        "/* Generated: one function for each function of Godot's interface. */\n"
        + "".join(definitions)
        + "static void pynav_load_interface(GDExtensionInterfaceGetProcAddress get) {\n"
        + "".join(loads)
        + "}\n"
    )
    return text, "".join(declared)


def own_declarations(native: str) -> str:
    """What Python sees of native.h: its structures, its helpers and the callbacks that it defines."""
    structures = """
    typedef struct { void *handle; int virtual_count; ...; } PynavClass; static const int
    PYNAV_VIRTUAL_GENERIC, PYNAV_VIRTUAL_PLAIN, PYNAV_VIRTUAL_FLOAT; static const int PYNAV_WANTS_SET,
    PYNAV_WANTS_GET, PYNAV_WANTS_LIST, PYNAV_WANTS_REVERT, PYNAV_WANTS_VALIDATE, PYNAV_WANTS_NOTIFICATION,
    PYNAV_WANTS_TO_STRING, PYNAV_WANTS_REFERENCE;
    """
    helpers = []
    for name in (
        "pynav_ptrcall",
        "pynav_ptrcall_each",
        "pynav_ptrcall_watch",
        "pynav_varcall",
        "pynav_call_constructor",
        "pynav_call_destructor",
        "pynav_call_builtin",
        "pynav_builtin_size",
        "pynav_call_utility",
        "pynav_to_variant",
        "pynav_from_variant",
        "pynav_variant_inside",
        "pynav_want_frame",
        "pynav_register_main_loop",
        "pynav_register_class",
        "pynav_new_class",
        "pynav_fill_method_info",
    ):
        match = re.search(rf"^static ([\w ]+?[ \*]+){name}\(([^)]*)\) \{{", native, re.MULTILINE)
        if match is None:
            raise SystemExit(f"native.h has no function {name}")
        helpers.append(f"{match[1]}{name}({match[2]});\n")
    callbacks = []
    for match in re.finditer(r"^static ([\w ]+?[ \*]+)(python_\w+)\(([^)]*)\);", native, re.MULTILINE):
        callbacks.append(f'extern "Python" {match[1]}{match[2]}({match[3]});\n')
    extra = """
    extern "Python" void python_initialize(void *, GDExtensionInitializationLevel); extern "Python" void
    python_deinitialize(void *, GDExtensionInitializationLevel); extern "Python" void
    python_callable_call(void *, const GDExtensionConstVariantPtr *, GDExtensionInt, GDExtensionVariantPtr,
    GDExtensionCallError *); extern "Python" GDExtensionBool python_callable_is_valid(void *); extern
    "Python" void python_callable_free(void *); extern "Python" uint32_t python_callable_hash(void *);
    extern "Python" GDExtensionBool python_callable_equal(void *, void *); extern "Python" GDExtensionBool
    python_callable_less_than(void *, void *); extern "Python" void python_callable_to_string(void *,
    GDExtensionBool *, GDExtensionStringPtr); extern "Python" GDExtensionInt
    python_callable_argument_count(void *, GDExtensionBool *);
    """
    return structures + "".join(helpers) + "".join(callbacks) + extra


def main() -> None:
    """Generate both files."""
    header, sources, build, compiler = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    preprocessed = declarations(header, compiler)
    definitions, declared = interface_calls(interface_functions(header, preprocessed))
    (build / "interface_calls.h").write_text(definitions, encoding="utf-8")
    ffi = cffi.FFI()
    ffi.cdef(preprocessed)
    ffi.cdef(declared)
    ffi.cdef(own_declarations((sources / "native.h").read_text(encoding="utf-8")))
    ffi.set_source(
        "_pynav_bridge",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <uchar.h>\n"
        '#include "start.h"\n#include "interface_calls.h"\n#include "native.h"\n',
        py_limited_api=False,
    )
    ffi.emit_c_code(str(build / "_pynav_bridge.c"))


if __name__ == "__main__":
    main()
