"""Costs and heights from images."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Rect2i, Vector2i, engine

from .telling import NodeError

_OPAQUE = 128
_PIXELS_PER_STEP = 1 << 17  # read at once


def _image_of(picture: Any, what: str) -> Any:
    """The picture as a plain image, which is not to be changed."""
    image = picture if picture.is_class("Image") else picture.get_image()
    if image is None or image.is_empty():
        raise NodeError(f"{what} has no pixels: assign an Image or a Texture2D that holds one")
    if not image.is_compressed():
        return image
    image = image.duplicate()
    if int(image.decompress()) != 0:
        raise NodeError(f"{what} is compressed in a way that cannot be read: import it with lossless compression")
    return image


def cost_steps(picture: Any) -> Generator[float, None, npt.NDArray[np.uint8]]:
    """(rows, columns) uint8: black and transparent pixels are solid, white ones cost 1, the darker the dearer (256 - luminance).

    In steps, strips of the picture, that give the part that is read. Raises NodeError where the picture has no pixels.
    """
    image = _image_of(picture, "cost_image")
    width, height = int(image.get_width()), int(image.get_height())
    cost: npt.NDArray[np.uint8] = np.zeros((height, width), dtype=np.uint8)
    rows = max(_PIXELS_PER_STEP // width, 1)
    for top in range(0, height, rows):
        yield top / height
        strip = image.get_region(Rect2i(Vector2i(0, top), Vector2i(width, min(rows, height - top))))
        strip.convert(engine.Image.FORMAT_LA8)
        part = cost[top : top + rows]
        pixels = np.asarray(strip.get_data().view()).reshape(-1)[: part.size * 2].reshape(*part.shape, 2)
        np.negative(pixels[:, :, 0], out=part)  # in eight bits: 256 - luminance, and 0 stays 0
        part[pixels[:, :, 1] < _OPAQUE] = 0
    return cost


def read_heights(picture: Any, width: int, height: int, scale: float) -> npt.NDArray[np.float32]:
    """(height, width) float32: the red channel 0..1 times the scale; one pixel a tile, a picture of another size is resized.

    Raises NodeError where the picture has no pixels.
    """
    image = _image_of(picture, "height_image").duplicate()
    if (int(image.get_width()), int(image.get_height())) != (width, height):
        image.convert(engine.Image.FORMAT_RF)
        image.resize(width, height, engine.Image.INTERPOLATE_BILINEAR)
    image.convert(engine.Image.FORMAT_RF)
    data = np.asarray(image.get_data().view())[: width * height * 4]
    values = np.frombuffer(data.tobytes(), dtype="<f4").reshape(height, width)
    return np.ascontiguousarray(values * np.float32(scale), dtype=np.float32)
