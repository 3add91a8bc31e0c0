"""A picture to draw on: tiles scaled up, lines and discs with soft edges, arrows stamped many at a time."""

import math

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIRECTION_X, DIRECTION_Y

Colour = tuple[int, int, int]
Pixels = npt.NDArray[np.float32]

_FINE = 8  # samples a side of a pixel when a stamp is made


class Canvas:
    """A picture of a map, ``scale`` pixels a tile; positions are in tiles, (0, 0) the top left corner.

    Args:
        tiles: colours (height, width, 3), one a tile.
        scale: pixels a tile.
    """

    def __init__(self, tiles: npt.NDArray[np.floating], scale: int) -> None:
        self.scale = scale
        self._pixels: Pixels = tiles.astype(np.float32).repeat(scale, axis=0).repeat(scale, axis=1)

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture as uint8 (height, width, 3)."""
        return np.rint(self._pixels).clip(0, 255).astype(np.uint8)

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: Colour, alpha: float = 1.0) -> None:
        """Fill a rectangle, to whole pixels, at least one."""
        x, y = round(left * self.scale), round(top * self.scale)
        to_x, to_y = max(round(right * self.scale), x + 1), max(round(bottom * self.scale), y + 1)
        part = self._pixels[max(y, 0) : to_y, max(x, 0) : to_x]
        part += (np.array(colour, dtype=np.float32) - part) * np.float32(alpha)

    def lattice(self, step: int, colour: Colour, alpha: float, width: int = 1) -> None:
        """Lines of some pixels along every ``step``-th column and row of tiles."""
        tone = np.array(colour, dtype=np.float32)
        height, across, _ = self._pixels.shape
        is_line = np.zeros((height, across), dtype=bool)
        for offset in range(width):
            is_line[offset + step * self.scale - width // 2 :: step * self.scale] = True
            is_line[:, offset + step * self.scale - width // 2 :: step * self.scale] = True
        self._pixels[is_line] += (tone - self._pixels[is_line]) * np.float32(alpha)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, colour: Colour, alpha: float = 1.0
    ) -> None:
        """A line ``width`` pixels wide with soft edges and round ends."""
        x, y, to_x, to_y = (value * self.scale for value in (*start, *end))
        reach = width / 2 + 1
        left, top = max(math.floor(min(x, to_x) - reach), 0), max(math.floor(min(y, to_y) - reach), 0)
        right, bottom = math.ceil(max(x, to_x) + reach) + 1, math.ceil(max(y, to_y) + reach) + 1
        part = self._pixels[top:bottom, left:right]
        across = (np.arange(part.shape[1], dtype=np.float32) + np.float32(left + 0.5 - x))[None, :]
        down = (np.arange(part.shape[0], dtype=np.float32) + np.float32(top + 0.5 - y))[:, None]
        length_squared = (to_x - x) ** 2 + (to_y - y) ** 2
        along = np.zeros(part.shape[:2], dtype=np.float32)
        if length_squared > 0:
            along = ((across * (to_x - x) + down * (to_y - y)) / length_squared).clip(0, 1).astype(np.float32)
        away = np.hypot(across - along * (to_x - x), down - along * (to_y - y))
        cover = (width / 2 + 0.5 - away).clip(0, 1).astype(np.float32) * np.float32(alpha)
        part += (np.array(colour, dtype=np.float32) - part) * cover[..., None]

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour, alpha: float = 1.0) -> None:
        """A disc of ``radius`` pixels with a soft edge."""
        self.line(centre, centre, 2 * radius, colour, alpha)

    def arrows(self, places: npt.NDArray[np.floating], codes: npt.NDArray[np.integer], size: float, colour: Colour) -> None:
        """Arrows of ``size`` pixels, centred on places (n, 2) in tiles, one for each direction code 0..7."""
        for code in range(8):
            stamp = _arrow_stamp(code, size)
            half = len(stamp) // 2
            corner = np.rint(places[codes == code] * self.scale).astype(np.int64) - half
            for row in range(len(stamp)):
                for column in range(len(stamp)):
                    if stamp[row, column] > 0:
                        self._blend(corner[:, 0] + column, corner[:, 1] + row, colour, float(stamp[row, column]))

    def _blend(self, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], colour: Colour, alpha: float) -> None:
        inside = (x >= 0) & (y >= 0) & (x < self._pixels.shape[1]) & (y < self._pixels.shape[0])
        x, y = x[inside], y[inside]
        self._pixels[y, x] += (np.array(colour, dtype=np.float32) - self._pixels[y, x]) * np.float32(alpha)


def _arrow_stamp(code: int, size: float) -> Pixels:
    """How much of each pixel an arrow covers: a shaft and a triangle, sampled finely."""
    side = 2 * math.ceil(size / 2) + 2
    fine = (np.arange(side * _FINE) + 0.5) / _FINE - side / 2
    length = math.hypot(DIRECTION_X[code], DIRECTION_Y[code])
    ahead_x, ahead_y = DIRECTION_X[code] / length, DIRECTION_Y[code] / length
    along = (fine[None, :] * ahead_x + fine[:, None] * ahead_y) / size
    beside = np.abs(fine[:, None] * ahead_x - fine[None, :] * ahead_y) / size
    shaft = (beside <= 0.07) & (along >= -0.45) & (along <= 0.1)
    head = (along >= 0.02) & (beside <= (0.48 - along) * 0.58)
    covered = (shaft | head).astype(np.float32)
    samples = covered.reshape(side, _FINE, side, _FINE)
    return np.asarray(samples.mean(axis=(1, 3)), dtype=np.float32)
