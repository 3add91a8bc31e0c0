"""What benchmarks time with, and the peer that several of them share."""

import math
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt


def best_ms(work: Callable[[], object], rounds: int = 5) -> float:
    """Milliseconds of the fastest of some rounds, after one that doesn't count."""
    work()
    best = math.inf
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return best * 1e3


def tcod_ms(cost: npt.NDArray[np.uint8], goal: tuple[int, int]) -> float | None:
    """Milliseconds of ``tcod.path.dijkstra2d`` over a map; None where tcod is missing. It cuts corners: timed, not compared."""
    try:
        import tcod.path
    except ImportError:
        return None
    start = np.full(cost.shape, np.iinfo(np.int32).max, dtype=np.int32)
    start[goal[1], goal[0]] = 0
    wide = cost.astype(np.int32)
    return best_ms(lambda: tcod.path.dijkstra2d(start, wide, 140, 198, out=None), 2)
