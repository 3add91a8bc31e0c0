"""Outlines of physics shapes, as convex corners for `covered_tiles`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import engine, singleton

Points = npt.NDArray[np.float64]
_ROUND = 24  # corners of a circle


def _circle(radius: float, corners: int = _ROUND) -> Points:
    angles = np.arange(corners) * (math.tau / corners)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius


def _box(size: Any) -> Points:
    signs = np.array(np.meshgrid(*([[-0.5, 0.5]] * len(size)))).T.reshape(-1, len(size))
    return np.asarray(signs * np.array(list(size)))


def convex_outline(points: Points) -> Points:
    """Corners of the convex hull of points (n, 2), in order (monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered, dtype=np.float64).reshape(-1, 2)

    def half(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in places:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]), dtype=np.float64)


def outlines_2d(node: Any) -> Iterator[Points]:
    """Convex outlines (n, 2) of a CollisionShape2D or CollisionPolygon2D in its own space; none for what has no area."""
    if isinstance(node, engine.CollisionPolygon2D):
        for part in singleton("Geometry2D").decompose_polygon_in_convex(node.polygon):
            yield np.asarray(part.view(), dtype=np.float64)
        return
    shape = node.shape
    if isinstance(shape, engine.RectangleShape2D):
        yield convex_outline(_box(shape.size))
    elif isinstance(shape, engine.CircleShape2D):
        yield _circle(shape.radius)
    elif isinstance(shape, engine.CapsuleShape2D):
        middle = np.array([0.0, max(shape.height / 2 - shape.radius, 0.0)])
        yield convex_outline(np.concatenate([_circle(shape.radius) + middle, _circle(shape.radius) - middle]))
    elif isinstance(shape, engine.ConvexPolygonShape2D):
        yield convex_outline(np.asarray(shape.points.view(), dtype=np.float64))


def clouds_3d(node: Any) -> Iterator[Points]:
    """Points (n, 3) whose hulls a CollisionShape3D is made of, in its own space: one for a convex shape, one a triangle else."""
    shape = node.shape
    if isinstance(shape, engine.BoxShape3D):
        yield _box(shape.size)
    elif isinstance(shape, (engine.SphereShape3D, engine.CylinderShape3D, engine.CapsuleShape3D)):
        half = shape.radius if isinstance(shape, engine.SphereShape3D) else shape.height / 2
        ring = _circle(shape.radius)
        yield np.array([[x, y, z] for y in (-half, half) for x, z in ring])
    elif isinstance(shape, engine.ConvexPolygonShape3D):
        yield np.asarray(shape.points.view(), dtype=np.float64)
    elif isinstance(shape, engine.ConcavePolygonShape3D):
        yield from np.asarray(shape.get_faces().view(), dtype=np.float64).reshape(-1, 3, 3)
