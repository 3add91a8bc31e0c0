"""Slow, obvious reference of what a multi-mesh buffer says of each agent's look: where it faces, its colour, its four numbers."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd import Crowd
from pynav.crowd.instance_buffer import DrawnColumns


def facing(crowd: Crowd, agent: int, affine: npt.ArrayLike, axes: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Unit vector in the node's space along which an agent looks."""
    angle = float(crowd.get_column(name)[agent]) if name else math.inf
    if math.isfinite(angle):
        local = np.array(axes, dtype=np.float64) @ (math.cos(angle), math.sin(angle))
    else:
        local = np.array(affine, dtype=np.float64)[:, :2] @ crowd.headings[agent].astype(np.float64)
    return np.asarray(local / np.hypot(*local))


def look(crowd: Crowd, agent: int, columns: DrawnColumns, motion: list[float]) -> list[Any]:
    """Colour and custom numbers of an agent, those parts that the columns give; ``motion`` is what stands there without them."""
    color = crowd.get_column(columns.color)[agent].tolist() if columns.color else []
    custom = list(motion)
    for index, name in enumerate(columns.custom):
        if name:
            custom[index] = float(crowd.get_column(name)[agent])
    return [*color, *custom]
