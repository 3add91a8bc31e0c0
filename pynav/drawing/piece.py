"""What is to be drawn, as plain arrays: pieces, which renderers turn into whatever their engine draws.

All places are tile coordinates (x, y) as floats: (0, 0) is the top left corner of tile (0, 0), y grows downwards. Colours are
roles (roles.py), so that a renderer needs a palette and nothing else.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIRECTION_X, DIRECTION_Y

Floats = npt.NDArray[np.float32]
Roles = npt.NDArray[np.uint8]

NO_LINES: Floats = np.zeros((0, 2, 2), dtype=np.float32)
NO_QUADS: Floats = np.zeros((0, 4, 2), dtype=np.float32)
NO_PLACES: Floats = np.zeros((0, 2), dtype=np.float32)
NO_ROLES: Roles = np.zeros(0, dtype=np.uint8)


class Fill(NamedTuple):
    """Filled tiles: a role for each square of ``stride`` x ``stride`` tiles, uint8 (rows, columns), from tile (left, top) on."""

    left: int
    top: int
    stride: int
    roles: Roles


class Label(NamedTuple):
    """A short text whose middle lies at (x, y), ``size`` tiles high."""

    x: float
    y: float
    text: str
    size: float = 0.75


@dataclass(frozen=True)
class Piece:
    """One layer of one part of the map.

    Attributes:
        fill: filled tiles, or None.
        lines, line_roles: float32 (n, 2, 2) begin and end, as thin as the engine draws lines; uint8 (n,).
        quads, quad_roles: float32 (n, 4, 2) corners in order around; uint8 (n,).
        arrow_places, arrow_codes, arrow_roles: float32 (n, 2) middles; uint8 (n,) directions 0..7 (steps.py); uint8 (n,).
        arrow_size: length of an arrow, tiles.
        labels: texts, at most a few hundred in view.
    """

    fill: Fill | None = None
    lines: Floats = field(default_factory=lambda: NO_LINES)
    line_roles: Roles = field(default_factory=lambda: NO_ROLES)
    quads: Floats = field(default_factory=lambda: NO_QUADS)
    quad_roles: Roles = field(default_factory=lambda: NO_ROLES)
    arrow_places: Floats = field(default_factory=lambda: NO_PLACES)
    arrow_codes: Roles = field(default_factory=lambda: NO_ROLES)
    arrow_roles: Roles = field(default_factory=lambda: NO_ROLES)
    arrow_size: float = 0.8
    labels: tuple[Label, ...] = ()

    @property
    def line_count(self) -> int:
        """What counts for the most that may be drawn at once: lines, bars and arrows."""
        return len(self.lines) + len(self.quads) + len(self.arrow_codes)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return self.line_count == 0 and not self.labels and (self.fill is None or not self.fill.roles.any())

    def all_quads(self) -> tuple[Floats, Roles]:
        """Quads and arrows, float32 (n, 4, 2) and uint8 (n,): for renderers that draw both as triangles."""
        if len(self.arrow_codes) == 0:
            return self.quads, self.quad_roles
        arrows = arrow_quads(self.arrow_places, self.arrow_codes, self.arrow_size)
        return np.concatenate([self.quads, arrows]), np.concatenate([self.quad_roles, self.arrow_roles])


_DART = np.array([[0.5, 0.0], [-0.42, 0.27], [-0.26, 0.0], [-0.42, -0.27]])


def _dart_table() -> Floats:
    """(8, 4, 2): a dart of length 1 for each direction."""
    found = []
    for x, y in zip(DIRECTION_X, DIRECTION_Y, strict=True):
        length = float(np.hypot(x, y))
        along, beside = np.array([x, y]) / length, np.array([-y, x]) / length
        found.append(_DART[:, :1] * along + _DART[:, 1:] * beside)
    return np.array(found, dtype=np.float32)


_DARTS = _dart_table()
_TURN = np.array([-1.0, 1.0], dtype=np.float32)  # with x and y exchanged: a quarter of a turn


def arrow_quads(places: Floats, codes: Roles, size: float) -> Floats:
    """Darts, float32 (n, 4, 2), of a length in tiles around their middles."""
    return np.asarray(places[:, None, :] + _DARTS[codes] * np.float32(size), dtype=np.float32)


def thick_lines(begins: Floats, ends: Floats, thickness: float) -> Floats:
    """Lines (n, 2) to (n, 2) as quads, float32 (n, 4, 2), longer by half their thickness at both ends."""
    along = ends - begins
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
    ahead = along / length * np.float32(thickness / 2)
    aside = ahead[:, ::-1] * _TURN
    corners = np.empty((len(along), 4, 2), dtype=np.float32)
    behind, before = begins - ahead, ends + ahead
    corners[:, 0], corners[:, 1], corners[:, 2], corners[:, 3] = behind + aside, before + aside, before - aside, behind - aside
    return corners


def frames(corners: Floats, thickness: float) -> Floats:
    """Outlines of rectangles, float32 (n, 4, 2) corners in order around, as quads: float32 (n * 4, 4, 2)."""
    return thick_lines(corners.reshape(-1, 2), np.roll(corners, -1, axis=1).reshape(-1, 2), thickness)


def diamonds(places: Floats, size: float) -> Floats:
    """Diamonds around places, float32 (n, 4, 2)."""
    offsets = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], dtype=np.float32) * np.float32(size / 2)
    return np.asarray(places[:, None, :] + offsets[None], dtype=np.float32)
