"""Kernels and bound calls: what the decorators make, and what runs them."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from pynav.kernels import backend, pool
from pynav.kernels.errors import KernelArgumentError
from pynav.kernels.signature import Parameter, check_argument, parse_signature, slot_total
from pynav.kernels.source import inline_functions, written_parameters

DEFAULT_BLOCK_SIZE = 1024  # items; enough work to pay for a claim of about 0.1 us
_SURELY_FITS = 1 << 62  # integers below that fit any slot

_kernels: dict[str, "Kernel"] = {}

Function = TypeVar("Function", bound=Callable[..., Any])


def inline(function: Function) -> Function:
    """Mark a small function that kernels call; it stays a plain function, and compiled kernels take it in.

    Args:
        function: a function under the rules of kernels; it may return values and call other inline functions.

    Returns:
        The function itself.
    """
    inline_functions[function] = None
    return function


def kernel(signature: str) -> Callable[[Callable[..., None]], "Kernel"]:
    """Declare a kernel that runs on one thread.

    Args:
        signature: ``"uint8[:, ::1] cost, int64 goal, float32 scale"``; arrays in C order with 1 to 3 dimensions of
            (u)int8 to 64 and float32/64, scalars int64, float32, float64. The names are those of the function's parameters.

    Returns:
        The decorator.

    Raises:
        ValueError: a signature that cannot be read or does not fit the function.
    """
    return lambda function: _register(Kernel(function, parse_signature(signature)))


def block_kernel(signature: str) -> Callable[[Callable[..., None]], "BlockKernel"]:
    """Declare a kernel over a range: the function has two more parameters, ``begin`` and ``end`` (int64).

    It writes the slots of [begin, end) alone, so that ranges may run on any threads in any order. See ``kernel``.
    """
    return lambda function: _register(BlockKernel(function, parse_signature(signature)))


def registered_kernels() -> dict[str, "Kernel"]:
    """All kernels declared so far, by full name."""
    return dict(_kernels)


_AnyKernel = TypeVar("_AnyKernel", bound="Kernel")


def _register(made: _AnyKernel) -> _AnyKernel:
    _kernels[made.name] = made
    return made


class Kernel:
    """A function with one declared signature, run by the backend in use. Call it, or ``bind`` it and run it each tick.

    Attributes:
        name: module and name.
        function: the plain Python body.
        parameters: what was declared.
    """

    takes_range = False

    def __init__(self, function: Callable[..., None], parameters: tuple[Parameter, ...]) -> None:
        self.function = function
        self.parameters = parameters
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.__doc__ = function.__doc__
        names = [parameter.name for parameter in parameters] + (["begin", "end"] if self.takes_range else [])
        code = function.__code__
        found = list(code.co_varnames[: code.co_argcount])
        if names != found:
            raise ValueError(f"{self.name}: expected the parameters {', '.join(names)} of its signature, got {', '.join(found)}")
        self._written: frozenset[str] | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    @property
    def short_name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @property
    def symbol(self) -> str:
        """Name of the entry in the library."""
        return self.name.replace(".", "_")

    @property
    def written(self) -> frozenset[str]:
        """Parameters that the kernel writes, found in its source (or noted in the library where there is no source)."""
        if self._written is None:
            noted = backend.written_in_library(self)
            self._written = self.written_in_source() if noted is None else noted
        return self._written

    def written_in_source(self) -> frozenset[str]:
        """The same, always from the source."""
        return written_parameters(self.function)

    def bind(self, *arguments: Any) -> "BoundCall":
        """Check the arguments once and keep them, for calls that allocate nothing.

        Args:
            arguments: in the declared order (for a block kernel without begin and end).

        Returns:
            The call. It keeps the arrays alive.

        Raises:
            KernelArgumentError: an argument that does not fit; names it, what was expected and what came.
            KernelLibraryError: the library is missing, stale, or lacks this kernel.
        """
        return BoundCall(self, arguments)

    def __call__(self, *arguments: Any) -> None:
        """Run once. See ``bind`` for arguments and errors."""
        BoundCall(self, arguments).run()


class BlockKernel(Kernel):
    """A kernel over a range, see ``block_kernel``. Called directly it takes begin and end last and runs on this thread."""

    takes_range = True

    def __call__(self, *arguments: Any) -> None:
        """Run the range [begin, end) given by the last two arguments on the calling thread."""
        if len(arguments) < 2:
            raise KernelArgumentError(f"{self.short_name}: expected begin and end as the last arguments")
        *rest, begin, end = arguments
        BoundCall(self, tuple(rest)).run_range(int(begin), int(end))


class BoundCall:
    """A kernel with its arguments, checked. ``set`` changes a scalar, ``set_arrays`` arrays, ``run`` runs.

    Arrays may be changed in place between runs. Not for two threads at once.
    """

    __slots__ = ("_arguments", "_entry", "_floats", "_index", "_is_float", "_kernel", "_slots", "_slots_pointer")

    def __init__(self, of: Kernel, arguments: tuple[Any, ...]) -> None:
        if len(arguments) != len(of.parameters):
            raise KernelArgumentError(f"{of.short_name}: expected {len(of.parameters)} arguments, got {len(arguments)}")
        self._kernel = of
        written = of.written
        self._arguments = [
            check_argument(of.short_name, parameter, value, parameter.name in written)
            for parameter, value in zip(of.parameters, arguments, strict=True)
        ]
        self._slots: npt.NDArray[np.int64] = np.zeros(slot_total(of.parameters), dtype=np.int64)
        self._floats: npt.NDArray[np.float64] = self._slots.view(np.float64)
        self._index = {parameter.name: index for index, parameter in enumerate(of.parameters)}
        for parameter, value in zip(of.parameters, self._arguments, strict=True):
            self._store(parameter, value)
        self._entry = backend.entry_of(of)
        self._slots_pointer = pool.address_pointer(pool.array_address(self._slots)) if self._entry is not None else None

    def _store(self, parameter: Parameter, value: Any) -> None:
        slot = parameter.slot
        if parameter.dimensions:
            self._slots[slot] = pool.array_address(value)
            self._slots[slot + 1 : slot + 1 + parameter.dimensions] = value.shape
        elif parameter.type_name == "int64":
            self._slots[slot] = value
        else:
            self._floats[slot] = value

    @property
    def kernel(self) -> Kernel:
        """The kernel."""
        return self._kernel

    @property
    def entry(self) -> Any:
        """Address of the compiled entry, None under the python backend. For the job thread."""
        return self._entry

    @property
    def slots_pointer(self) -> Any:
        """Pointer to the packed arguments, None under the python backend. For the job thread."""
        return self._slots_pointer

    def set(self, name: str, value: Any) -> None:
        """Give a scalar argument another value.

        Raises:
            KernelArgumentError: no such scalar, or a value of the wrong type.
        """
        index = self._index.get(name, -1)
        parameter = self._kernel.parameters[index]
        if index < 0 or parameter.dimensions:
            raise KernelArgumentError(f"{self._kernel.short_name}: expected the name of a scalar argument, got {name!r}")
        self.replace(index, value)

    def set_arrays(self, **arrays: npt.NDArray[Any]) -> None:
        """Give array arguments other arrays, by name; costs less than to bind anew, and nothing for those that it has already.

        Raises:
            KernelArgumentError: no such array argument, or an array that does not fit; the others keep what they had.
        """
        given = []
        for name, value in arrays.items():
            index = self._index.get(name, -1)
            parameter = self._kernel.parameters[index]
            if index < 0 or not parameter.dimensions:
                raise KernelArgumentError(f"{self._kernel.short_name}: expected the name of an array argument, got {name!r}")
            if value is not self._arguments[index]:
                checked = check_argument(self._kernel.short_name, parameter, value, name in self._kernel.written)
                given.append((index, parameter, checked))
        for index, parameter, checked in given:
            self._arguments[index] = checked
            self._store(parameter, checked)

    def replace(self, index: int, value: Any) -> None:
        """Give the argument of a place in the declaration another value.

        Raises:
            KernelArgumentError: a value that does not fit.
        """
        parameter = self._kernel.parameters[index]
        if type(value) is int and parameter.type_name == "int64" and not parameter.dimensions and abs(value) < _SURELY_FITS:
            self._arguments[index] = np.int64(value)  # the usual case, without checks
            self._slots[parameter.slot] = value
            return
        if type(value) is np.ndarray and parameter.dimensions:
            before, flags = self._arguments[index], value.flags
            if value.dtype is before.dtype and value.shape == before.shape and flags.c_contiguous and flags.writeable:
                self._arguments[index] = value  # as usual: it fits as the one before did
                self._slots[parameter.slot] = pool.array_address(value)
                return
        checked = check_argument(self._kernel.short_name, parameter, value, parameter.name in self._kernel.written)
        self._arguments[index] = checked
        self._store(parameter, checked)

    def integer_setter(self, name: str) -> Callable[[int], None]:
        """What sets an int64 scalar argument without checks, for a number that changes each tick.

        Raises:
            KernelArgumentError: no such argument, or another type.
        """
        index = self._index.get(name, -1)
        parameter = self._kernel.parameters[index]
        if index < 0 or parameter.dimensions or parameter.type_name != "int64":
            raise KernelArgumentError(f"{self._kernel.short_name}: expected the name of an int64 argument, got {name!r}")
        cell = self._slots.data[parameter.slot : parameter.slot + 1]
        arguments = self._arguments

        def set_integer(value: int) -> None:
            cell[0] = value
            arguments[index] = value

        return set_integer

    def run(self, count: int | None = None, block_size: int = DEFAULT_BLOCK_SIZE) -> None:
        """Run the kernel; for a block kernel over [0, count), in blocks, on all threads of the pool.

        Args:
            count: items, for a block kernel.
            block_size: items a block; choose it by the data alone, never by the number of threads.

        Raises:
            KernelArgumentError: a count given to a plain kernel or missing for a block kernel, or a size below 1.
        """
        takes_range = self._kernel.takes_range
        if (count is not None) != takes_range or block_size < 1 or (count is not None and count < 0):
            expected = "a count >= 0 and a block size >= 1" if takes_range else "no count"
            raise KernelArgumentError(
                f"{self._kernel.short_name}: expected {expected}, got count {count}, block size {block_size}"
            )
        if self._entry is None:
            self._run_in_python(count, block_size)
        elif count is None:
            pool.call(self._entry, self._slots_pointer)
        else:
            pool.run_blocks(self._entry, self._slots_pointer, count, block_size)

    def run_range(self, begin: int, end: int) -> None:
        """Run [begin, end) of a block kernel as one block on the calling thread."""
        if self._entry is None:
            with np.errstate(all="ignore"):
                self._kernel.function(*self._arguments, begin, end)
        else:
            pool.run_range(self._entry, self._slots_pointer, begin, end)

    def _run_in_python(self, count: int | None, block_size: int) -> None:
        with np.errstate(all="ignore"):  # integers wrap and x / 0 is infinite, as in compiled code
            if count is None:
                self._kernel.function(*self._arguments)
                return
            for begin in range(0, count, block_size):
                self._kernel.function(*self._arguments, begin, min(begin + block_size, count))


def parallel_for(of: BlockKernel, count: int, *arguments: Any, block_size: int = DEFAULT_BLOCK_SIZE) -> None:
    """Run a block kernel over [0, count) in fixed blocks on the threads of the pool.

    Args:
        of: the block kernel.
        count: items.
        arguments: as declared, without begin and end.
        block_size: items a block.

    Raises:
        KernelArgumentError: an argument that does not fit.

    Notes:
        The same bits for any number of threads, since a block writes its own slots alone.
    """
    BoundCall(of, arguments).run(count, block_size)
