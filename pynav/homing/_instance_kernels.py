"""Kernels that write projectiles into the buffer of an engine's multi-mesh, slot by slot."""

import numpy as np

from pynav.homing.homing_layout import DEAD, FRESH, LIFE, STATE, VX, VY, X, Y
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_TINY = np.float32(1e-12)
_MOST = np.float32(1e9)


@inline
def heading(u, v, affine, size, at_rest_x, at_rest_y):
    """A velocity turned to the drawing's space, as a vector as long as the picture; the given one where there is none."""
    turned_x = affine[0] * u + affine[1] * v
    turned_y = affine[3] * u + affine[4] * v
    squared = turned_x * turned_x + turned_y * turned_y
    if squared <= _TINY:
        return at_rest_x, at_rest_y
    scale = size / np.sqrt(squared)
    return turned_x * scale, turned_y * scale


@inline
def write_custom(values, tags, buffer, slot, first):
    """The four numbers for the shader: life left, speed, 0, state."""
    u = values[VX, slot]
    v = values[VY, slot]
    buffer[slot, first] = min(values[LIFE, slot], _MOST)
    buffer[slot, first + 1] = np.sqrt(u * u + v * v)
    buffer[slot, first + 2] = _ZERO
    buffer[slot, first + 3] = np.float32(tags[STATE, slot])


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, float32[:, ::1] buffer, float32[:, ::1] previous, float32[::1] affine,"
    " float32 size, int64 has_custom"
)
def fill_flat(values, tags, buffer, previous, affine, size, has_custom, begin, end):
    """2D: two rows [x axis x, y axis x, 0, origin x], [x axis y, y axis y, 0, origin y]; then the custom data."""
    for slot in range(begin, end):
        if tags[STATE, slot] == DEAD:
            for index in range(buffer.shape[1]):
                buffer[slot, index] = _ZERO
            continue
        x = values[X, slot]
        y = values[Y, slot]
        ahead_x, ahead_y = heading(values[VX, slot], values[VY, slot], affine, size, size, _ZERO)
        buffer[slot, 0] = ahead_x
        buffer[slot, 1] = -ahead_y
        buffer[slot, 2] = _ZERO
        buffer[slot, 3] = affine[0] * x + affine[1] * y + affine[2]
        buffer[slot, 4] = ahead_y
        buffer[slot, 5] = ahead_x
        buffer[slot, 6] = _ZERO
        buffer[slot, 7] = affine[3] * x + affine[4] * y + affine[5]
        if has_custom != 0:
            write_custom(values, tags, buffer, slot, 8)
        if previous.shape[0] > 0 and tags[FRESH, slot] != 0:
            tags[FRESH, slot] = np.int32(0)
            for index in range(buffer.shape[1]):
                previous[slot, index] = buffer[slot, index]


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, float32[:, ::1] buffer, float32[:, ::1] previous, float32[::1] affine,"
    " float32 size, float32 elevation, int64 has_custom"
)
def fill_solid(values, tags, buffer, previous, affine, size, elevation, has_custom, begin, end):
    """3D, y up: three rows [x axis, y axis, z axis, origin] of x, y, z; a projectile looks along its -z axis."""
    for slot in range(begin, end):
        if tags[STATE, slot] == DEAD:
            for index in range(buffer.shape[1]):
                buffer[slot, index] = _ZERO
            continue
        x = values[X, slot]
        y = values[Y, slot]
        ahead_x, ahead_z = heading(values[VX, slot], values[VY, slot], affine, size, _ZERO, -size)
        buffer[slot, 0] = -ahead_z
        buffer[slot, 1] = _ZERO
        buffer[slot, 2] = -ahead_x
        buffer[slot, 3] = affine[0] * x + affine[1] * y + affine[2]
        buffer[slot, 4] = _ZERO
        buffer[slot, 5] = size
        buffer[slot, 6] = _ZERO
        buffer[slot, 7] = elevation
        buffer[slot, 8] = ahead_x
        buffer[slot, 9] = _ZERO
        buffer[slot, 10] = -ahead_z
        buffer[slot, 11] = affine[3] * x + affine[4] * y + affine[5]
        if has_custom != 0:
            write_custom(values, tags, buffer, slot, 12)
        if previous.shape[0] > 0 and tags[FRESH, slot] != 0:
            tags[FRESH, slot] = np.int32(0)
            for index in range(buffer.shape[1]):
                previous[slot, index] = buffer[slot, index]
