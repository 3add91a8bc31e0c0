"""Numba as the compiler: a kernel becomes a C function over packed slots, in this process or as LLVM code for the library.

Public interfaces of numba are used, and three things that are not public. The option ``_nrt`` of ``njit``: kernels never
allocate, and without it each call of an inline function counts references of its arrays, which made a flood 20 times slower.
The place where numba adds the size of an array to a negative index: kernels have no negative indices, and the test on every
access kept loops from being vectorised (a fifth of a tick of a dense crowd). And in ``lane_code.py`` the address of an array's
data inside an intrinsic (``context.make_array``).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba
from numba import types
from numba.np import arrayobj

from pynav.kernels import pool
from pynav.kernels.lane_code import COMPILED_FORMS
from pynav.kernels.source import inline_functions

if TYPE_CHECKING:
    from pynav.kernels.kernel import Kernel

OPTIONS: dict[str, Any] = {"error_model": "numpy", "boundscheck": False, "_nrt": False}
ENTRY_TYPE = types.void(
    types.CPointer(types.voidptr), types.CPointer(types.int64), types.CPointer(types.float64), types.int64, types.int64
)

_compiled_inlines: dict[Callable[..., Any], Any] = {}
_kept: dict[str, Any] = {}


@contextmanager
def _without_wraparound() -> Iterator[None]:
    """While compiling: an index is an offset as it stands, as in C."""
    wrapping = arrayobj.fix_integer_index

    def plain_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
        if index_type.signed:
            return context.cast(builder, index, index_type, types.intp)
        return context.cast(builder, index, index_type, types.uintp)

    arrayobj.fix_integer_index = plain_index
    try:
        yield
    finally:
        arrayobj.fix_integer_index = wrapping


def _compiled_copy(function: Callable[..., Any], decorate: Callable[[Callable[..., Any]], Any]) -> Any:
    """The function compiled, with the inline functions in its globals replaced by their compiled forms."""
    assert isinstance(function, FunctionType)
    replaced = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = replaced.get(name)
        if isinstance(value, FunctionType) and value in inline_functions:
            replaced[name] = _compiled_inline(value)
    copy = FunctionType(function.__code__, replaced, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return decorate(copy)


def _compiled_inline(function: Callable[..., Any]) -> Any:
    if function in COMPILED_FORMS:
        return COMPILED_FORMS[function]
    if function not in _compiled_inlines:
        _compiled_inlines[function] = _compiled_copy(function, numba.njit(nogil=True, forceinline=True, **OPTIONS))
    return _compiled_inlines[function]


def _wrapper_source(kernel: "Kernel") -> str:
    """Source of the entry: arrays are made inside from addresses and dimensions."""
    lines = ["def entry(addresses, integers, floats, begin, end):"]
    passed = []
    for parameter in kernel.parameters:
        slot = parameter.slot
        name = f"argument_{parameter.name}"
        if parameter.dimensions:
            shape = "".join(f"integers[{slot + 1 + axis}], " for axis in range(parameter.dimensions))
            lines.append(f"    {name} = carray(addresses[{slot}], ({shape}), {parameter.type_name})")
        elif parameter.type_name == "int64":
            lines.append(f"    {name} = integers[{slot}]")
        else:
            lines.append(f"    {name} = {parameter.type_name}(floats[{slot}])")
        passed.append(name)
    if kernel.takes_range:
        passed += ["begin", "end"]
    lines.append(f"    body({', '.join(passed)})")
    return "\n".join(lines)


def compile_entry(kernel: "Kernel") -> Any:
    """The kernel as numba's C callback (keep it alive as long as its address is in use)."""
    body = _compiled_copy(kernel.function, numba.njit(nogil=True, forceinline=True, **OPTIONS))
    names: dict[str, Any] = {"body": body, "carray": numba.carray}
    names.update({name: getattr(types, name) for name in (*types_in(kernel),)})
    exec(compile(_wrapper_source(kernel), f"<entry of {kernel.name}>", "exec"), names)
    entry = names["entry"]
    entry.__qualname__ = entry.__name__ = kernel.symbol
    with _without_wraparound():
        return numba.cfunc(ENTRY_TYPE, nopython=True, cache=False, error_model="numpy", boundscheck=False)(entry)


def types_in(kernel: "Kernel") -> list[str]:
    """Names of the types that the entry's source uses."""
    return sorted({parameter.type_name for parameter in kernel.parameters})


def jit_entry(kernel: "Kernel") -> Any:
    """Pointer to the kernel's entry, compiled in this process."""
    if kernel.name not in _kept:
        _kept[kernel.name] = compile_entry(kernel)
    return pool.address_pointer(_kept[kernel.name].address)
