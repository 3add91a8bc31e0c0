"""What ticks cost: the last one, and a recording of many for the report."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass
class TickCost:
    """Nanoseconds of one tick on the main thread; `python` is what is neither kernels nor engine calls."""

    total: int = 0
    kernels: int = 0
    engine: int = 0

    @property
    def python(self) -> int:
        """Nanoseconds of our own Python."""
        return max(self.total - self.kernels - self.engine, 0)


class TickRecord:
    """Costs of the last `capacity` ticks; nothing is allocated while recording."""

    def __init__(self, capacity: int) -> None:
        self._total: npt.NDArray[np.int64] = np.zeros(capacity, dtype=np.int64)
        self._python: npt.NDArray[np.int64] = np.zeros(capacity, dtype=np.int64)
        self.ticks = 0

    def add(self, cost: TickCost) -> None:
        """Note one tick; the oldest is overwritten when full."""
        at = self.ticks % len(self._total)
        self._total[at] = cost.total
        self._python[at] = cost.python
        self.ticks += 1

    def milliseconds(self) -> dict[str, float]:
        """Percentiles: tick_ms_p50, tick_ms_p99, tick_ms_max, python_ms_p99; zeros without a tick."""
        count = min(self.ticks, len(self._total))
        if count == 0:
            return {"tick_ms_p50": 0.0, "tick_ms_p99": 0.0, "tick_ms_max": 0.0, "python_ms_p99": 0.0}
        total, python = self._total[:count] * 1e-6, self._python[:count] * 1e-6
        return {
            "tick_ms_p50": float(np.percentile(total, 50)),
            "tick_ms_p99": float(np.percentile(total, 99)),
            "tick_ms_max": float(total.max()),
            "python_ms_p99": float(np.percentile(python, 99)),
        }
