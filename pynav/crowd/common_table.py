"""The common routes of published flows: which of their tiles lead another way than the exact values say.

They are kept by block and written together with a block's exact directions, over them. They hold for the values that they were
found with: where one of their blocks changes, the flow's whole common route is dropped.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.memory import untouched
from pynav.sectors.block_layout import HELD, MISSING, STEP

NO_BLOCKS: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
Arrays = dict[str, npt.NDArray[Any]]


class CommonTable:
    """Directions by flow, block and tile.

    Args:
        flows: rows.
        blocks: of a map.

    Attributes:
        code: uint8 (flows, blocks, 256), steps.py or NOT_HERE; only where ``has_code`` is 1: no memory is touched elsewhere.
        has_code: uint8 (flows, blocks).
    """

    def __init__(self, flows: int, blocks: int) -> None:
        self.code: npt.NDArray[np.uint8] = untouched((flows, blocks, STEP * STEP), np.uint8)
        self.has_code: npt.NDArray[np.uint8] = untouched((flows, blocks), np.uint8)

    def take_rows(self, other: "CommonTable") -> None:
        """Take over what a smaller table holds."""
        slot, block = np.nonzero(other.has_code)
        self.code[slot, block] = other.code[slot, block]
        self.has_code[slot, block] = 1

    def put(self, slot: int, blocks: npt.NDArray[np.int32], codes: npt.NDArray[np.uint8], ready: npt.NDArray[np.uint8]) -> None:
        """Give a flow whose blocks are all MISSING a common route (CommonRoute), or none."""
        self.has_code[slot] = 0
        self.has_code[slot, blocks] = 1
        self.code[slot, blocks] = codes
        ready[slot, blocks] = HELD

    def broken(self, slots: npt.NDArray[np.integer[Any]], ready: npt.NDArray[np.uint8]) -> npt.NDArray[np.integer[Any]]:
        """Those of some flows whose common route has lost a block to an edit."""
        lost = (self.has_code[slots] != 0) & (ready[slots] == MISSING)
        return np.asarray(slots[lost.any(axis=1)])

    def drop(self, slot: int, ready: npt.NDArray[np.uint8]) -> None:
        """Have a flow's blocks written anew without its common route."""
        ready[slot, self.has_code[slot] != 0] = MISSING
        self.has_code[slot] = 0

    def state(self, slot: int) -> Arrays:
        """What a snapshot needs of a flow."""
        blocks = np.flatnonzero(self.has_code[slot])
        return {"common_blocks": blocks.astype(np.int32), "common_codes": self.code[slot, blocks]}

    def load(self, slot: int, blocks: npt.NDArray[np.int32], codes: npt.NDArray[np.uint8]) -> None:
        """Take up a state."""
        self.has_code[slot, blocks] = 1
        self.code[slot, blocks] = codes
