"""Where tiles lie in a map node's local space: an affine map from tile coordinates to a plane.

In 2D the plane is the node's own; in 3D it is the node's XZ plane at a height. Tile (x, y) covers [x, x + 1) x [y, y + 1). The
two axes need be neither perpendicular nor of equal length: isometric layers give slanted ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]


@dataclass(frozen=True)
class TilePlane:
    """``local = origin + x * x_axis + y * y_axis`` for tile coordinates (x, y); `elevation` is the plane's height in 3D."""

    origin: Point
    x_axis: Point
    y_axis: Point
    elevation: float = 0.0

    @property
    def determinant(self) -> float:
        """Signed area of a tile."""
        return self.x_axis[0] * self.y_axis[1] - self.x_axis[1] * self.y_axis[0]

    @property
    def tile_length(self) -> float:
        """Side of a square with a tile's area: what one tile of distance, speed or radius is in local units."""
        return math.sqrt(abs(self.determinant))

    def to_local(self, x: float, y: float) -> Point:
        """Local place of tile coordinates."""
        return (
            self.origin[0] + x * self.x_axis[0] + y * self.y_axis[0],
            self.origin[1] + x * self.x_axis[1] + y * self.y_axis[1],
        )

    def to_tile(self, local_x: float, local_y: float) -> Point:
        """Tile coordinates of a local place."""
        x, y, factor = local_x - self.origin[0], local_y - self.origin[1], 1.0 / self.determinant
        return (
            (x * self.y_axis[1] - y * self.y_axis[0]) * factor,
            (y * self.x_axis[0] - x * self.x_axis[1]) * factor,
        )

    def points_to_local(self, tiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """(n, 2) float32 tile coordinates as local places."""
        return self.vectors_to_local(tiles) + np.array(self.origin, dtype=np.float32)

    def vectors_to_local(self, tiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """(n, 2) float32 vectors in tiles as local vectors."""
        axes = np.array([self.x_axis, self.y_axis], dtype=np.float32)
        return np.asarray(tiles[:, :1] * axes[0] + tiles[:, 1:] * axes[1], dtype=np.float32)

    def points_to_tiles(self, places: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """(n, 2) float32 local places as tile coordinates."""
        offset = places.astype(np.float64) - np.array(self.origin)
        factor = 1.0 / self.determinant
        x = (offset[:, 0] * self.y_axis[1] - offset[:, 1] * self.y_axis[0]) * factor
        y = (offset[:, 1] * self.x_axis[0] - offset[:, 0] * self.x_axis[1]) * factor
        return np.stack([x, y], axis=1).astype(np.float32)

    def moved(self, x_axis: Point, y_axis: Point, origin: Point, elevation: float = 0.0) -> TilePlane:
        """The plane seen through an affine map of its local space: ``outer = origin + local_x * x_axis + local_y * y_axis``."""

        def turn(vector: Point) -> Point:
            return (
                vector[0] * x_axis[0] + vector[1] * y_axis[0],
                vector[0] * x_axis[1] + vector[1] * y_axis[1],
            )

        start = turn(self.origin)
        return TilePlane((start[0] + origin[0], start[1] + origin[1]), turn(self.x_axis), turn(self.y_axis), elevation)

    def matrix(self) -> npt.NDArray[np.float32]:
        """(2, 3) float32, as the buffer kernels take it."""
        rows = [
            [self.x_axis[0], self.y_axis[0], self.origin[0]],
            [self.x_axis[1], self.y_axis[1], self.origin[1]],
        ]
        return np.array(rows, dtype=np.float32)

    def bounds(self, width: float, height: float) -> tuple[Point, Point]:
        """Least and greatest local coordinates of a rectangle of tiles that starts at (0, 0)."""
        corners = [self.to_local(x, y) for x in (0.0, width) for y in (0.0, height)]
        low = (min(x for x, _ in corners), min(y for _, y in corners))
        return low, (max(x for x, _ in corners), max(y for _, y in corners))


def is_usable(plane: TilePlane) -> bool:
    """Whether tiles have an area."""
    return math.isfinite(plane.determinant) and abs(plane.determinant) > 1e-12
