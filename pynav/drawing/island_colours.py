"""The colours of islands, kept through edits: which parts of a drawing another component recolours."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pynav.drawing.chunk_shapes import island_roles
from pynav.drawing.view import Chunk, chunks_with
from pynav.portals import SectorMap


class IslandColours:
    """The role of each island, made anew only when components are.

    Args:
        sectors: the map's sectors, built.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self._sectors = sectors
        self._join = -1
        self._roles: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self._signature: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    @property
    def roles(self) -> npt.NDArray[np.uint8]:
        """uint8 (islands,), as ``island_roles`` gives them."""
        self._refresh()
        return self._roles

    def _refresh(self) -> bool:
        """Whether components, and with them the roles, were made anew."""
        start = self._sectors.island_start  # asked first: it makes them anew where that is due
        if self._join == self._sectors.join_count:
            return False
        self._join = self._sectors.join_count
        self._roles = island_roles(self._sectors)
        self._signature = _by_sector(self._roles, start)
        return True

    def recoloured(self, shown: Iterable[Chunk]) -> set[Chunk]:
        """Chunks whose islands changed their colour by an edit, because other parts of the map were joined or cut."""
        signature = self._signature
        if not self._refresh():
            return set()
        if len(signature) == 0:
            return set(shown)
        column, row = self._sectors.places(np.flatnonzero(signature != self._signature))
        chunks = list(shown)
        met = {level: chunks_with(level, column, row, self._sectors.size) for level in {chunk.level for chunk in chunks}}
        return {chunk for chunk in chunks if chunk in met[chunk.level]}


def _by_sector(roles: npt.NDArray[np.uint8], start: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """int64 (sectors,): a number that differs where the roles of a sector's islands do."""
    place = np.arange(len(roles)) - np.repeat(start[:-1], np.diff(start)) + 1
    sums = np.concatenate([[0], np.cumsum(roles.astype(np.int64) * (place * place + 17))])
    return np.asarray(sums[start[1:]] - sums[start[:-1]], dtype=np.int64)
