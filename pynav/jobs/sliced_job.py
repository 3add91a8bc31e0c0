"""One sliced kernel as a job."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.kernels import BoundCall, KernelArgumentError, pool

_IDLE = 0  # of a handle: neither queued nor running


@dataclass
class JobStatistics:
    """Counts over the life of the process."""

    started: int = 0
    finished: int = 0
    overshoots: int = 0  # deadlines at which work was left
    inline_slices: int = 0  # slices that callers did at deadlines


_stats = JobStatistics()


def job_stats() -> JobStatistics:
    """The counts so far (a copy)."""
    return JobStatistics(_stats.started, _stats.finished, _stats.overshoots, _stats.inline_slices)


class SlicedJob:
    """A bound sliced kernel that the background thread runs again and again until it is done.

    From ``start`` until ``finish`` or ``cancel`` the kernel's arrays belong to the job: nobody else may read or write them.
    Jobs run one after the other, in the order of their starts; those that give way when no other is left.

    Parameters
    ----------
    call
        A bound plain kernel that does one slice of work a run.
    progress
        int64 (n,), one of the kernel's arrays.
    done_index
        Entry of ``progress`` that the kernel sets to 1 at the end.
    gives_way
        Let all jobs that don't give way go first, after each slice: for what no tick waits for.

    Raises
    ------
    KernelArgumentError
        ``progress`` is no contiguous int64 array with that entry.

    Notes
    -----
    Under the ``python`` backend there is no background thread: ``finish`` does all the work.
    """

    def __init__(self, call: BoundCall, progress: npt.NDArray[np.int64], done_index: int, gives_way: bool = False) -> None:
        self._handle: Any = None
        if (
            progress.dtype != np.int64
            or progress.ndim != 1
            or not progress.flags.c_contiguous
            or not 0 <= done_index < progress.size
        ):
            raise KernelArgumentError(
                f"SlicedJob: expected progress as contiguous int64 (n,) with entry {done_index},"
                f" got {progress.dtype} of shape {progress.shape}"
            )
        self._call = call
        self._progress = progress
        self._done_index = done_index
        self._gives_way = gives_way

    @property
    def is_done(self) -> bool:
        """Whether all work is done; never waits."""
        return bool(self._progress[self._done_index])

    @property
    def is_started(self) -> bool:
        """Whether the job is queued, running or waiting to be finished."""
        return self._handle is not None

    def start(self) -> None:
        """Queue the job; returns at once. Starting it twice does nothing."""
        if self._handle is not None or self._call.entry is None:
            return
        library = pool.library()
        flag = pool.address_pointer(pool.array_address(self._progress) + 8 * self._done_index, "int64_t *")
        self._handle = library.pynav_job_new(self._call.entry, self._call.slots_pointer, flag, self._gives_way)
        _stats.started += 1
        library.pynav_job_start(self._handle)

    def finish(self) -> int:
        """Take the job back at its deadline and do what is left here; waits for at most the slice in progress.

        Returns
        -------
        int
            Slices that had to be done here; 0 if the job was done in time.
        """
        self._take_back()
        slices = 0
        while not self.is_done:
            self._call.run()
            slices += 1
        _stats.finished += 1
        _stats.overshoots += slices > 0
        _stats.inline_slices += slices
        return slices

    def cancel(self) -> None:
        """Take the job back, whatever is done; waits for at most the slice in progress."""
        self._take_back()

    def dismiss(self) -> None:
        """Have no more of it done, without waiting: the thread may still be at a slice of it (``is_released``)."""
        if self._handle is not None:
            pool.library().pynav_job_dismiss(self._handle)

    @property
    def is_released(self) -> bool:
        """Whether the thread has let go of the job's arrays: it was never started, or is taken back or dismissed; never waits."""
        if self._handle is not None and pool.library().pynav_job_state(self._handle) == _IDLE:
            self._take_back()
        return self._handle is None

    def _take_back(self) -> None:
        if self._handle is not None:
            handle, self._handle = self._handle, None
            pool.library().pynav_job_free(handle)

    def __del__(self) -> None:
        # The thread must not write into arrays that are about to go.
        self._take_back()
