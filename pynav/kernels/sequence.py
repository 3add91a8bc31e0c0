"""Sequences: bound calls that run one after the other without a return to Python in between."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.kernels import pool
from pynav.kernels.errors import KernelArgumentError
from pynav.kernels.kernel import DEFAULT_BLOCK_SIZE, BoundCall


@dataclass(frozen=True)
class Step:
    """One bound call of a sequence.

    Attributes:
        call: the bound call.
        count: for a block kernel, an int64 array whose first entry is the number of items; it is read when the step's turn
            comes, so an earlier step may write it. None for a plain kernel.
        block_size: items a block, for a block kernel.
    """

    call: BoundCall
    count: npt.NDArray[np.int64] | None = None
    block_size: int = DEFAULT_BLOCK_SIZE


class Sequence:
    """Steps in order. Python between the kernels of a tick costs more than it seems: after each kernel its code is out of cache.

    Args:
        steps: what to run.

    Raises:
        KernelArgumentError: a block kernel without a count, a plain kernel with one, or a block size below 1.
    """

    def __init__(self, steps: list[Step]) -> None:
        for step in steps:
            kernel = step.call.kernel
            fits = step.count is None or (step.count.dtype == np.int64 and len(step.count) > 0)
            if kernel.takes_range != (step.count is not None) or not fits or step.block_size < 1:
                expected = "an int64 array with its count and a block size >= 1" if kernel.takes_range else "no count"
                raise KernelArgumentError(f"{kernel.short_name}: expected {expected}, got {step.count!r}, {step.block_size}")
        self.steps = steps
        self._native = None
        self._length = len(steps)
        if all(step.call.entry is not None for step in steps):
            self._run_native = pool.library().pynav_run_sequence
            self._native = pool.new_steps(
                [(step.call.entry, step.call.slots_pointer, step.count, step.block_size) for step in steps]
            )

    def run(self) -> None:
        """Run all steps."""
        if self._native is not None:
            self._run_native(self._native, self._length)
            return
        for step in self.steps:
            if step.count is None:
                step.call.run()
            else:
                step.call.run(int(step.count[0]), step.block_size)
