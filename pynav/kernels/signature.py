"""The declared signature of a kernel, and how its arguments travel.

All arguments are packed into 8-byte slots: an array takes its address and its dimensions, a scalar one slot. So every kernel
has the same C type, and the native pool can run any of them without knowing its arguments.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from pynav.kernels.errors import KernelArgumentError

ARRAY_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
SCALAR_TYPES = ("int64", "float32", "float64")
MOST_DIMENSIONS = 3
_DTYPES = {name: np.dtype(name) for name in ARRAY_TYPES}  # in the byte order of this machine

_DECLARATION = re.compile(r"(?:(const)\s+)?(\w+)\s*(\[[:,\s1]*\])?\s+(\w+)")


@dataclass(frozen=True)
class Parameter:
    """One declared parameter: name, dtype name, number of dimensions (0 for a scalar), first slot."""

    name: str
    type_name: str
    dimensions: int
    slot: int

    @property
    def slot_count(self) -> int:
        """Slots that the argument takes."""
        return 1 + self.dimensions

    @property
    def declaration(self) -> str:
        """The parameter as an error message names it."""
        if self.dimensions == 0:
            return self.type_name
        return f"{self.type_name}[{', '.join([':'] * (self.dimensions - 1) + ['::1'])}]"


def parse_signature(text: str) -> tuple[Parameter, ...]:
    """Read a signature such as ``"uint8[:, ::1] cost, float32[::1] x, int64 count"``.

    Args:
        text: declarations parted by commas: type, for an array its brackets (C order), name.

    Returns:
        The parameters in order.

    Raises:
        ValueError: a declaration that cannot be read, an unknown type, more than three dimensions, a name used twice.
    """
    parameters: list[Parameter] = []
    slot = 0
    for part in re.split(r",(?![^\[]*\])", text):
        match = _DECLARATION.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"kernel signature: expected 'type name' or 'type[:, ::1] name', got {part.strip()!r}")
        type_name, brackets, name = match.group(2), match.group(3), match.group(4)
        dimensions = brackets.count(",") + 1 if brackets else 0
        allowed = ARRAY_TYPES if brackets else SCALAR_TYPES
        if type_name not in allowed:
            raise ValueError(f"kernel signature: parameter {name!r}: expected one of {', '.join(allowed)}, got {type_name!r}")
        if dimensions > MOST_DIMENSIONS:
            raise ValueError(f"kernel signature: parameter {name!r}: expected at most 3 dimensions, got {dimensions}")
        if brackets and not brackets.replace(" ", "").endswith("::1]"):
            raise ValueError(f"kernel signature: parameter {name!r}: expected C order ('::1' last), got {brackets!r}")
        if any(parameter.name == name for parameter in parameters):
            raise ValueError(f"kernel signature: parameter {name!r} is declared twice")
        parameters.append(Parameter(name, type_name, dimensions, slot))
        slot += 1 + dimensions
    return tuple(parameters)


def slot_total(parameters: tuple[Parameter, ...]) -> int:
    """Slots that all arguments take together, at least one."""
    return max(1, sum(parameter.slot_count for parameter in parameters))


def check_argument(kernel_name: str, parameter: Parameter, value: Any, is_written: bool) -> Any:
    """Check one argument and bring a scalar to its declared type.

    Args:
        kernel_name: for the message.
        parameter: what was declared.
        value: what came.
        is_written: whether the kernel writes it.

    Returns:
        The array itself, or the scalar as ``np.int64``, ``np.float32`` or ``np.float64``.

    Raises:
        KernelArgumentError: names the kernel, the argument, what was expected and what came.
    """
    if parameter.dimensions == 0:
        return _check_scalar(kernel_name, parameter, value)
    if not isinstance(value, np.ndarray):
        raise KernelArgumentError(
            f"{kernel_name}: argument {parameter.name!r}: expected {parameter.declaration}, got {type(value).__name__}"
        )
    if value.dtype != _DTYPES[parameter.type_name] or value.ndim != parameter.dimensions:
        raise KernelArgumentError(
            f"{kernel_name}: argument {parameter.name!r}: expected {parameter.declaration},"
            f" got {value.dtype} with {value.ndim} dimension{'' if value.ndim == 1 else 's'}"
        )
    if not value.flags.c_contiguous:
        raise KernelArgumentError(
            f"{kernel_name}: argument {parameter.name!r}: expected a C-contiguous array, got strides {value.strides} "
            f"for shape {value.shape}"
        )
    if is_written and not value.flags.writeable:
        raise KernelArgumentError(f"{kernel_name}: argument {parameter.name!r}: expected a writable array, got a read-only one")
    return value


def _check_scalar(kernel_name: str, parameter: Parameter, value: Any) -> Any:
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
    if parameter.type_name == "int64":
        if not is_integer:
            raise KernelArgumentError(f"{kernel_name}: argument {parameter.name!r}: expected int64, got {type(value).__name__}")
        if not -(2**63) <= int(value) < 2**63:
            raise KernelArgumentError(f"{kernel_name}: argument {parameter.name!r}: expected a 64-bit integer, got {value}")
        return np.int64(value)
    if not is_integer and not isinstance(value, float | np.floating):
        raise KernelArgumentError(
            f"{kernel_name}: argument {parameter.name!r}: expected {parameter.type_name}, got {type(value).__name__}"
        )
    return np.float32(value) if parameter.type_name == "float32" else np.float64(value)
