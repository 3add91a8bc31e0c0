"""Little maps as pictures: ``.`` free, ``#`` and ``~`` solid, ``S`` and ``G`` free."""

import numpy as np
import numpy.typing as npt


def cost_of(*rows: str) -> npt.NDArray[np.uint8]:
    """The costs of a picture."""
    return np.array([[0 if tile in "#~" else 1 for tile in row] for row in rows], dtype=np.uint8)


def find(rows: list[str], letter: str) -> tuple[int, int]:
    """The tile (x, y) where a letter stands."""
    for y, row in enumerate(rows):
        if letter in row:
            return row.index(letter), y
    raise AssertionError(f"no {letter} in the picture")
