"""Which regions one-way steps lead to from which: a test for ways that need not lead back."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt


class RegionGraph:
    """A directed graph of regions (labels of tiles that are connected to and fro).

    Args:
        start: whole numbers (n,), the region that each one-way step leaves.
        end: (n,), the one that it enters.

    Example:
        >>> graph = RegionGraph(np.array([1, 2, 2]), np.array([2, 3, 2]))
        >>> sorted(graph.reached_from([1])), sorted(graph.leading_to([2])), sorted(graph.reached_from([3]))
        ([1, 2, 3], [1, 2], [3])
    """

    def __init__(self, start: npt.NDArray[np.integer], end: npt.NDArray[np.integer]) -> None:
        self._after: dict[int, list[int]] = {}
        self._before: dict[int, list[int]] = {}
        pairs = np.unique(np.stack([start, end], axis=1)[start != end], axis=0)
        for first, last in pairs.tolist():
            self._after.setdefault(first, []).append(last)
            self._before.setdefault(last, []).append(first)

    def reached_from(self, regions: Iterable[int]) -> set[int]:
        """The regions that ways lead to from some, these included."""
        return _reached(self._after, regions)

    def leading_to(self, regions: Iterable[int]) -> set[int]:
        """The regions from which ways lead to one of some, these included."""
        return _reached(self._before, regions)


def _reached(neighbours: dict[int, list[int]], regions: Iterable[int]) -> set[int]:
    found = set(regions)
    stack = list(found)
    while stack:
        for other in neighbours.get(stack.pop(), ()):
            if other not in found:
                found.add(other)
                stack.append(other)
    return found
