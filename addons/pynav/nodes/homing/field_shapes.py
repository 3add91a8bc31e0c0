"""What is seen of a field: its arrows as triangles, its strength as a texture."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import PackedByteArray, PackedColorArray, PackedVector3Array, engine
from pynav.homing import HomingWorld

Floats = npt.NDArray[np.float32]
MOST_ARROWS = 65_536
_PALE = np.array([0.74, 0.88, 1.0, 0.85], np.float32)
_MIDDLE = np.array([0.45, 0.55, 1.0, 0.95], np.float32)
_MAGENTA = np.array([1.0, 0.1, 0.85, 1.0], np.float32)
# An arrow of length 1 along x: shaft (two triangles), head.
_SHAPE = np.array(
    [
        [-0.5, -0.06], [0.18, -0.06], [0.18, 0.06],
        [-0.5, -0.06], [0.18, 0.06], [-0.5, 0.06],
        [0.12, -0.26], [0.5, 0.0], [0.12, 0.26],
    ],
    np.float32,
)  # fmt: skip
_FILL = 0.84  # of the smaller side of a cell
_CURVE = 0.2  # strengths fall off by e every two and a half cells: drawn by their fifth root


def arrow_colors(strength: Floats, low: float, high: float) -> Floats:
    """(n, 4) colours, pale blue at ``low`` to magenta at ``high``; equal bounds: the weakest and the strongest."""
    if high <= low:
        low, high = (float(strength.min()), float(strength.max())) if strength.size else (0.0, 1.0)
    part = np.clip((strength - low) / max(high - low, 1e-30), 0.0, 1.0)[:, None]
    part = np.asarray(part**_CURVE, np.float32)
    first = _PALE + (_MIDDLE - _PALE) * np.minimum(part * 2, 1)
    return np.asarray(first + (_MAGENTA - first) * np.clip(part * 2 - 1, 0, 1), np.float32)


def arrow_mesh(centres: Floats, directions: Floats, colors: Floats, cell: tuple[float, float], is_flat: bool) -> Any:
    """A mesh of an arrow a cell, on the plane (x, y), or lying on the floor (x, z); None where there is nothing to show."""
    shown = np.any(directions != 0.0, axis=1)
    if not shown.any():
        return None
    along = directions[shown][:, None, :] * np.float32(min(cell) * _FILL)
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    points = centres[shown][:, None, :] + _SHAPE[None, :, :1] * along + _SHAPE[None, :, 1:] * across
    flat = points.reshape(-1, 2).astype(np.float32)
    zeros = np.zeros(len(flat), np.float32)
    columns = [flat[:, 0], flat[:, 1], zeros] if is_flat else [flat[:, 0], zeros, flat[:, 1]]
    mesh = engine.ArrayMesh()
    arrays: list[Any] = [None] * int(engine.Mesh.ARRAY_MAX)
    arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(np.stack(columns, axis=1))
    arrays[engine.Mesh.ARRAY_COLOR] = PackedColorArray(np.repeat(colors[shown], len(_SHAPE), axis=0))
    mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
    return mesh


def field_arrows(world: HomingWorld, type: int, bounds: tuple[float, float], is_flat: bool) -> Any:
    """The mesh of a field's arrows, coloured by strength between ``bounds``; None where there is nothing to show."""
    box = world.box
    if box.cell_count > MOST_ARROWS:
        return None
    rows, columns = np.mgrid[: box.rows, : box.columns].reshape(2, -1)
    width, height = box.cell_size
    centres = np.stack([box.low[0] + (columns + 0.5) * width, box.low[1] + (rows + 0.5) * height], axis=1).astype(np.float32)
    colors = arrow_colors(np.abs(world.strength(type).reshape(-1)), *bounds)
    return arrow_mesh(centres, world.directions(type).reshape(-1, 2), colors, box.cell_size, is_flat)


def floor_material() -> Any:
    """What arrows that lie on a floor are drawn with: their own colours, seen from both sides."""
    material = engine.StandardMaterial3D()
    material.shading_mode = engine.BaseMaterial3D.SHADING_MODE_UNSHADED
    material.vertex_color_use_as_albedo = True
    material.vertex_color_is_srgb = True
    material.transparency = engine.BaseMaterial3D.TRANSPARENCY_ALPHA
    material.cull_mode = engine.BaseMaterial3D.CULL_DISABLED
    return material


class StrengthTexture:
    """A texture of half floats, one pixel a cell: red is the strength."""

    def __init__(self) -> None:
        self._texture: Any = None
        self._shape: tuple[int, ...] = ()

    def show(self, strength: Floats) -> Any:
        """Put the strengths in; the texture stays the same object."""
        rows, columns = strength.shape
        pixels = np.clip(strength, -65_000.0, 65_000.0).astype(np.float16)
        data = PackedByteArray(np.ascontiguousarray(pixels).view(np.uint8).reshape(-1))
        image = engine.Image.create_from_data(columns, rows, False, engine.Image.FORMAT_RH, data)
        if self._texture is None:
            self._texture = engine.ImageTexture.create_from_image(image)
        elif self._shape != strength.shape:
            self._texture.set_image(image)
        else:
            self._texture.update(image)
        self._shape = strength.shape
        return self._texture
