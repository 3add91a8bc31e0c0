"""What part of a node's tiles a viewport shows, and how large."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from addons.pynav.bridge import Vector2
from addons.pynav.nodes.ground import ray_on_ground
from pynav.drawing.view import View

_FARTHEST = 2.5  # a slanted look into the distance ends at so many times the distance of what the camera looks at
_NEAREST_TILES = 24.0  # and shows at least that much around it


def canvas_to_local(node: Any) -> Any:
    """Transform2D from a CanvasItem's space to its viewport's pixels."""
    viewport = node.get_viewport()
    return _chained(_chained(viewport.global_canvas_transform, viewport.canvas_transform), node.global_transform)


def _chained(outer: Any, inner: Any) -> Any:
    """Transform2D: first the inner one, then the outer one."""
    (ax, ay), (bx, by), (ox, oy) = outer

    def turn(vector: Any) -> Vector2:
        return Vector2(ax * vector[0] + bx * vector[1], ay * vector[0] + by * vector[1])

    x, y, origin = inner
    moved = turn(origin)
    return type(outer)(turn(x), turn(y), Vector2(moved.x + ox, moved.y + oy))


def canvas_view(node: Any, plane: Any) -> View | None:
    """What a 2D viewport shows of a node's tiles."""
    x, y, origin = canvas_to_local(node)
    seen = plane.moved(tuple(x), tuple(y), tuple(origin))
    if not (math.isfinite(seen.determinant) and abs(seen.determinant) > 1e-9):
        return None
    width, height = node.get_viewport().get_visible_rect().size
    corners = [seen.to_tile(*corner) for corner in ((0.0, 0.0), (width, 0.0), (0.0, height), (width, height))]
    xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return View(min(xs), min(ys), max(xs), max(ys), seen.tile_length)


def space_view(node: Any, plane: Any, camera: Any, size: tuple[float, float]) -> View | None:
    """What a camera shows of the plane of a node's tiles; `size` is its viewport's, pixels."""
    inverse = node.global_transform.inverse()
    width, height = size
    if width < 2 or height < 2:
        return None
    rays = [_local_ray(camera, inverse, Vector2(width * x, height * y)) for x, y in ((0.5, 0.5), (0, 0), (1, 0), (0, 1), (1, 1))]
    origin, ahead = rays[0]
    reach = _hit(origin, ahead, plane.elevation)
    above = abs(float(origin[1]) - plane.elevation)
    distance = reach if reach is not None else 4.0 * above
    distance = min(max(distance, above, 1e-3), 20.0 * max(above, plane.tile_length))
    middle = origin + ahead * distance
    at = np.array(plane.to_tile(float(middle[0]), float(middle[2])))
    farthest = max(_FARTHEST * distance / plane.tile_length, _NEAREST_TILES)
    places = [at]
    for start, direction in rays[1:]:
        length = _hit(start, direction, plane.elevation)
        end = start + direction * (length if length is not None else 1e6)
        away = np.array(plane.to_tile(float(end[0]), float(end[2]))) - at
        long = float(np.hypot(*away))
        places.append(at + away * (min(long, farthest) / max(long, 1e-9)))
    found = np.array(places)
    left, top = found.min(axis=0)
    right, bottom = found.max(axis=0)
    pixels = _pixels_per_unit(camera, height, distance) * plane.tile_length
    return View(float(left), float(top), float(right), float(bottom), pixels)


def _local_ray(camera: Any, inverse: Any, point: Vector2) -> tuple[np.ndarray, np.ndarray]:
    """Where a ray through a pixel begins and its direction, in the node's space."""
    origin, normal = camera.project_ray_origin(point), camera.project_ray_normal(point)
    basis = np.array([list(row) for row in inverse.basis], dtype=np.float64)
    start = basis.T @ np.array(list(origin)) + np.array(list(inverse.origin))
    ahead = basis.T @ np.array(list(normal))
    return start, ahead / max(float(np.linalg.norm(ahead)), 1e-12)


def _hit(start: np.ndarray, direction: np.ndarray, elevation: float) -> float | None:
    """How far along a ray the plane is, None if it never is."""
    if abs(direction[1]) < 1e-6:
        return None
    length = (elevation - float(start[1])) / float(direction[1])
    return length if length > 0.0 else None


def _pixels_per_unit(camera: Any, height: float, distance: float) -> float:
    if camera.projection == 1:  # PROJECTION_ORTHOGONAL
        return float(height / max(camera.size, 1e-6))
    return float(height / (2.0 * distance * math.tan(math.radians(camera.fov) / 2)))


def point_on_ground(node: Any, plane: Any, camera: Any, pixel: Any) -> tuple[float, float] | None:
    """The place in tiles where a ray through a pixel first meets the ground of a map in 3D; None if it never does."""
    start, direction = _local_ray(camera, node.global_transform.inverse(), Vector2(*pixel))
    return ray_on_ground(start, direction, plane, node._read_ground())
