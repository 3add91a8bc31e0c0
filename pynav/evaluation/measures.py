"""What is measured on a route."""

import math

import numpy as np
import numpy.typing as npt

BORDER_STEP = 16  # tiles from one border that counts for reversals to the next
REVERSAL_STEPS = 10
_SQUARE_ROOT = math.sqrt(2.0)


def octile_length(path: npt.NDArray[np.int32]) -> float:
    """Straight steps 1, diagonal ones the square root of 2."""
    steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
    return float((steps == 1).sum() + _SQUARE_ROOT * (steps == 2).sum())


def turning(path: npt.NDArray[np.int32]) -> float:
    """Sum of the angles between one step and the next, radians."""
    steps = np.diff(path, axis=0).astype(np.float64)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    turns = np.abs(np.diff(angles))
    return float(np.minimum(turns, 2 * math.pi - turns).sum())


def reversals(path: npt.NDArray[np.int32]) -> int:
    """How often a route leaves a block and is back in it within REVERSAL_STEPS steps, by way of a tile next to where it left."""
    blocks = path // BORDER_STEP
    left = np.flatnonzero(np.any(np.diff(blocks, axis=0) != 0, axis=1))
    count = 0
    for at in left:
        later = slice(at + 2, at + 2 + REVERSAL_STEPS)
        back = np.all(blocks[later] == blocks[at], axis=1)
        near = np.abs(path[later] - path[at]).max(axis=1) <= 1
        count += int((back & near).any())
    return count
