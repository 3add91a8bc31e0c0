"""What both renderers are: they take changes of pieces, and own what the engine draws."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import PackedByteArray, engine
from pynav.drawing.piece import Fill
from pynav.drawing.sketch import Change

Palette = npt.NDArray[np.uint8]


class Renderer(Protocol):
    """Draws pieces; one for each drawn node."""

    def apply(self, changes: list[Change], palette: Palette) -> None:
        """Draw what is new, and draw no more what is gone."""

    def place(self, plane: Any) -> None:
        """Say where tiles lie in the node's space (`TilePlane`)."""

    def clear(self) -> None:
        """Draw nothing more and give everything back to the engine."""


def fill_texture(fill: Fill, palette: Palette) -> Any:
    """A texture with a pixel for each square of a fill."""
    rows, columns = fill.roles.shape
    pixels = PackedByteArray(palette[fill.roles].reshape(-1))
    image = engine.Image.create_from_data(columns, rows, False, engine.Image.FORMAT_RGBA8, pixels)
    return engine.ImageTexture.create_from_image(image)


def colours(palette: Palette, roles: npt.NDArray[np.uint8], each: int) -> npt.NDArray[np.float32]:
    """float32 (n * each, 4): the colour of each role, as often as it has corners."""
    return np.repeat((palette.astype(np.float32) / np.float32(255))[roles], each, axis=0)


def triangle_indices(quads: int) -> npt.NDArray[np.int32]:
    """int32: two triangles for each quad of four corners."""
    corner = np.array([0, 1, 2, 0, 2, 3], dtype=np.int32)
    return (np.arange(quads, dtype=np.int32)[:, None] * 4 + corner).reshape(-1)
