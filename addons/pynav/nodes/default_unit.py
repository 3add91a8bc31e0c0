"""What units of a 2D crowd look like as long as nobody chose: a disc with a rim and a beak to where it heads.

Mesh and picture are shared by all crowds and let go when the engine ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import PackedByteArray, PackedInt32Array, PackedVector2Array, PackedVector3Array, engine

_SIZE = 64  # pixels a side
_FILL = (226, 231, 240)
_RIM = (44, 49, 66)
_shared: dict[str, Any] = {}


def unit_square() -> Any:
    """A square of side 1 around the origin, its texture upright."""
    if "mesh" not in _shared:
        mesh = engine.ArrayMesh()
        arrays: list[Any] = [None] * int(engine.Mesh.ARRAY_MAX)
        corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
        arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array([(x, y, 0.0) for x, y in corners])
        arrays[engine.Mesh.ARRAY_TEX_UV] = PackedVector2Array([(x + 0.5, y + 0.5) for x, y in corners])
        arrays[engine.Mesh.ARRAY_INDEX] = PackedInt32Array([0, 1, 2, 0, 2, 3])
        mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
        _shared["mesh"] = mesh
    return _shared["mesh"]


def unit_picture() -> Any:
    """The picture of a unit that looks to the right; light, so that the node's modulate tints it."""
    if "picture" not in _shared:
        axis = (np.arange(_SIZE) + 0.5) / _SIZE * 2.0 - 1.0
        x, y = np.meshgrid(axis, axis)
        disc = 0.96 - np.hypot(x, y)  # how deep inside, 1 is half the picture
        light = 0.86 + 0.14 * np.clip(0.5 - 0.5 * y, 0.0, 1.0)
        inside = np.clip((disc - 0.16) * _SIZE / 2.0, 0.0, 1.0)
        beak = np.clip(np.minimum(0.80 - x, (0.80 - x) * 0.75 - np.abs(y)) * _SIZE / 2.0, 0.0, 1.0)
        beak *= np.clip((x - 0.30) * _SIZE / 2.0, 0.0, 1.0)
        pixels = np.zeros((_SIZE, _SIZE, 4))
        for channel in range(3):
            fill = _RIM[channel] * beak + _FILL[channel] * light * (1.0 - beak)
            pixels[:, :, channel] = _RIM[channel] + (fill - _RIM[channel]) * inside
        pixels[:, :, 3] = 255.0 * np.clip(disc * _SIZE / 2.0, 0.0, 1.0)
        data = PackedByteArray(np.ascontiguousarray(np.rint(pixels).astype(np.uint8)).reshape(-1))
        image = engine.Image.create_from_data(_SIZE, _SIZE, False, engine.Image.FORMAT_RGBA8, data)
        image.generate_mipmaps()
        _shared["picture"] = engine.ImageTexture.create_from_image(image)
    return _shared["picture"]


def forget_shared() -> None:
    """Let go of the mesh and the picture."""
    _shared.clear()
