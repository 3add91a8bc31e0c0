"""Who is in a formation: agents of crowds with row priorities, and where they stood when it was ordered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.formations.errors import FormationError
from pynav.formations.row_class import Army


@dataclass(frozen=True)
class Rank:
    """Agents of one crowd that share a row priority.

    Attributes:
        crowd: the crowd (``pynav.crowd.crowd.Crowd``), or its index in the world.
        priority: row priority; lower ones stand farther in front.
        ids: which of its agents, whole numbers (n,); None: all.
    """

    crowd: Any
    priority: int
    ids: npt.ArrayLike | None = None


class Members:
    """Agents in the order of the ranks that were given, a crowd each, then of their ids.

    Attributes:
        crowd: int32 (n,), index of each one's crowd.
        ids: int32 (n,), within the crowd.
        priority: int32 (n,), row priority.
        radius: float32 (n,), tiles.
        position: float32 (n, 2), tiles, when it was ordered.
    """

    def __init__(
        self,
        crowd: npt.NDArray[np.int32],
        ids: npt.NDArray[np.int32],
        priority: npt.NDArray[np.int32],
        radius: npt.NDArray[np.float32],
        position: npt.NDArray[np.float32],
    ) -> None:
        self.crowd, self.ids, self.priority, self.radius, self.position = crowd, ids, priority, radius, position

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def crowds(self) -> list[int]:
        """Indices of the crowds, in rising order."""
        return np.flatnonzero(np.bincount(self.crowd)).tolist()

    def crowds_of_class(self, army: Army, index: int) -> list[int]:
        """Indices of the crowds whose units are in a row class, in rising order."""
        first = np.append(0, np.flatnonzero(self.crowd[1:] != self.crowd[:-1]) + 1)  # all units of a crowd share a priority
        return sorted(self.crowd[first[army.class_of_unit[first] == index]].tolist())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """By name, for a snapshot."""
        return {"crowd": self.crowd, "ids": self.ids, "priority": self.priority, "radius": self.radius, "position": self.position}


def checked_ids(crowd: int, ids: npt.ArrayLike | None, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Ids of living agents of a crowd in rising order; FormationError for others."""
    if ids is None:
        return np.flatnonzero(alive).astype(np.int32)
    given = np.asarray(ids)
    if given.size == 0:
        return np.zeros(0, np.int32)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        raise FormationError(f"expected ids as whole numbers (n,), got {given.dtype} of shape {given.shape}")
    outside = (given < 0) | (given >= len(alive))
    wrong = given[outside] if outside.any() else given[~alive[given]]
    if len(wrong):
        raise FormationError(f"expected ids of living agents of crowd {crowd}, got {int(wrong[0])}")
    found = np.unique(given)
    if len(found) != len(given):
        raise FormationError(f"expected each agent of crowd {crowd} once, got one twice")
    return found.astype(np.int32)


def checked_ranks(ranks: Sequence[Rank | tuple[Any, ...]], crowd_count: int) -> list[Rank]:
    """Ranks whose crowds are there, as indices, each crowd in one rank."""
    found = []
    for given in ranks:
        rank = given if isinstance(given, Rank) else Rank(*given)
        index = getattr(rank.crowd, "index", rank.crowd)
        if not isinstance(index, int | np.integer) or not 0 <= index < crowd_count:
            raise FormationError(f"expected a crowd of this world, got {rank.crowd!r}")
        if not isinstance(rank.priority, int | np.integer):
            raise FormationError(f"expected a row priority as a whole number, got {rank.priority!r}")
        found.append(Rank(int(index), int(rank.priority), rank.ids))
    if len({rank.crowd for rank in found}) != len(found):
        raise FormationError("expected each crowd in one rank, got one twice")
    if not found:
        raise FormationError("expected at least one rank, got none")
    return found
