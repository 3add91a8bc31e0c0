# mypy: disable-error-code="no-untyped-def"
"""Kernels that write a crowd's transforms into the buffer of an engine's multi-mesh, slot = agent id.

Agents are walked in table order and scattered by id: a gather by id would miss the cache four times an agent, the scatter once.
Slots without an agent are cleared first (a zero basis draws nothing). What the game's columns say of an agent's look (its colour,
its numbers for the shader, where it faces) lies by id as well; an array without rows stands for a column that isn't there.
"""

import numpy as np

from pynav.crowd.agent_layout import (
    AGENT_ID,
    CROWD,
    FIRST_SLOT,
    HEADING_X,
    HEADING_Y,
    POSITION_X,
    POSITION_Y,
    REMOVED,
    SPEED,
    STATUS,
    VELOCITY_X,
    VELOCITY_Y,
    WALKED,
)
from pynav.crowd.random_numbers import hash_integers
from pynav.kernels import block_kernel, inline, prefetch_row

AHEAD = 16  # agents whose slots are under way from memory while another one is written
_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-12)
_PER_HASH = np.float32(1.0 / 16777216.0)
_LARGEST = np.float32(3.4028235e38)


@block_kernel("uint8[::1] alive, float32[:, ::1] buffer, int64 first_slot")
def clear_dead_slots(alive, buffer, first_slot, begin, end):
    """Zero the slots ``begin..end`` that hold no agent."""
    width = np.int64(buffer.shape[1])
    for slot in range(begin, end):
        if alive[first_slot + slot] == 0:
            for index in range(width):
                buffer[slot, index] = _ZERO


@inline
def direction_of(angle):
    """Cosine and sine of a finite angle to a float32's precision: power series in the nearest quarter turn."""
    one = np.float64(1.0)
    four = np.float64(4.0)
    quarters = np.floor(np.float64(angle) * np.float64(0.6366197723675814) + np.float64(0.5))
    rest = np.float64(angle) - quarters * np.float64(1.5707963267948966)
    rest = min(max(rest, -one), one)  # of angles beyond a double's precision nothing is left
    square = rest * rest
    cosine = np.float64(1.0 / 40320.0)
    cosine = np.float64(-1.0 / 720.0) + square * cosine
    cosine = np.float64(1.0 / 24.0) + square * cosine
    cosine = np.float64(-0.5) + square * cosine
    cosine = one + square * cosine
    sine = np.float64(1.0 / 362880.0)
    sine = np.float64(-1.0 / 5040.0) + square * sine
    sine = np.float64(1.0 / 120.0) + square * sine
    sine = np.float64(-1.0 / 6.0) + square * sine
    sine = rest * (one + square * sine)
    quarter = np.int64(quarters - four * np.floor(quarters / four))
    if quarter == 1 or quarter == 3:
        cosine, sine = -sine, cosine
    if quarter >= 2:
        cosine, sine = -cosine, -sine
    return np.float32(cosine), np.float32(sine)


@inline
def drawn_axis(values, agent, identity, rotates, affine, facing, facing_axes, size, plain_x, plain_y):
    """Where an agent faces in the node's space, ``size`` long: by its column, else by its heading; plain if it isn't turned."""
    turned_x = _ZERO
    turned_y = _ZERO
    if identity < np.int64(facing.shape[0]) and abs(facing[identity]) <= _LARGEST:
        cosine, sine = direction_of(facing[identity])
        turned_x = facing_axes[0] * cosine + facing_axes[1] * sine
        turned_y = facing_axes[2] * cosine + facing_axes[3] * sine
    elif rotates != 0:
        heading_x = values[HEADING_X, agent]
        heading_y = values[HEADING_Y, agent]
        turned_x = affine[0] * heading_x + affine[1] * heading_y
        turned_y = affine[3] * heading_x + affine[4] * heading_y
    squared = turned_x * turned_x + turned_y * turned_y
    if squared > _TINY:
        scale = size / np.sqrt(squared)
        return turned_x * scale, turned_y * scale
    return plain_x, plain_y


@inline
def write_look(
    values, tags, agent, identity, instance, color_at, colors, custom_at, has_motion, custom_x, custom_y, custom_z, custom_w,
    crowd, seed,
):  # fmt: skip
    """Colour and numbers for the shader of one instance: a single row of colours is everybody's; a column takes the place of what
    the agent's motion gives."""
    color_count = np.int64(colors.shape[0])
    if color_count > 0:
        row = min(identity, color_count - 1)
        for index in range(4):
            instance[color_at + index] = colors[row, index]
    if custom_at == 0:
        return
    for index in range(4):
        instance[custom_at + index] = _ZERO
    if has_motion != 0:
        velocity_x = values[VELOCITY_X, agent]
        velocity_y = values[VELOCITY_Y, agent]
        speed = values[SPEED, agent]
        ratio = _ZERO
        if speed > _ZERO:
            ratio = np.sqrt(velocity_x * velocity_x + velocity_y * velocity_y) / speed
        instance[custom_at] = values[WALKED, agent]
        instance[custom_at + 1] = ratio
        instance[custom_at + 2] = np.float32(hash_integers(seed, crowd, identity) & 16777215) * _PER_HASH
        instance[custom_at + 3] = np.float32(tags[STATUS, agent])
    if identity < np.int64(custom_x.shape[0]):
        instance[custom_at] = custom_x[identity]
    if identity < np.int64(custom_y.shape[0]):
        instance[custom_at + 1] = custom_y[identity]
    if identity < np.int64(custom_z.shape[0]):
        instance[custom_at + 2] = custom_z[identity]
    if identity < np.int64(custom_w.shape[0]):
        instance[custom_at + 3] = custom_w[identity]


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, uint8[::1] fresh, float32[:, ::1] buffer,"
    " float32[:, ::1] previous, float32[::1] affine, int64 crowd, float32 size, int64 rotates, float32[::1] facing_axes,"
    " float32[:, ::1] colors, float32[::1] facing, float32[::1] custom_x, float32[::1] custom_y, float32[::1] custom_z,"
    " float32[::1] custom_w, int64 custom_at, int64 has_motion, int64 seed"
)
def fill_flat(
    values, tags, crowd_numbers, fresh, buffer, previous, affine, crowd, size, rotates, facing_axes,
    colors, facing, custom_x, custom_y, custom_z, custom_w, custom_at, has_motion, seed, begin, end,
):  # fmt: skip
    """Write 2D transforms: two rows [x axis x, y axis x, 0, origin x], [x axis y, y axis y, 0, origin y]."""
    width = np.int64(buffer.shape[1])
    has_previous = previous.shape[0] > 0
    first_slot = np.int64(crowd_numbers[FIRST_SLOT, crowd])
    for agent in range(begin, end):
        prefetch_row(buffer, np.int64(tags[AGENT_ID, min(agent + AHEAD, end - 1)]))
        if tags[CROWD, agent] != crowd or tags[STATUS, agent] == REMOVED:
            continue
        identity = np.int64(tags[AGENT_ID, agent])
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        axis_x, axis_y = drawn_axis(values, agent, identity, rotates, affine, facing, facing_axes, size, size, _ZERO)
        buffer[identity, 0] = axis_x
        buffer[identity, 1] = -axis_y
        buffer[identity, 2] = _ZERO
        buffer[identity, 3] = affine[0] * x + affine[1] * y + affine[2]
        buffer[identity, 4] = axis_y
        buffer[identity, 5] = axis_x
        buffer[identity, 6] = _ZERO
        buffer[identity, 7] = affine[3] * x + affine[4] * y + affine[5]
        write_look(
            values, tags, agent, identity, buffer[identity], 8, colors, custom_at, has_motion, custom_x, custom_y, custom_z,
            custom_w, crowd, seed,
        )  # fmt: skip
        if has_previous and fresh[first_slot + identity] != 0:
            fresh[first_slot + identity] = np.uint8(0)
            for index in range(width):
                previous[identity, index] = buffer[identity, index]


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, uint8[::1] fresh, float32[:, ::1] buffer,"
    " float32[:, ::1] previous, float32[::1] affine, float32[:, ::1] heights, int64 crowd, float32 size, float32 elevation,"
    " int64 rotates, float32[::1] facing_axes,"
    " float32[:, ::1] colors, float32[::1] facing, float32[::1] custom_x, float32[::1] custom_y, float32[::1] custom_z,"
    " float32[::1] custom_w, int64 custom_at, int64 has_motion, int64 seed"
)
def fill_solid(
    values, tags, crowd_numbers, fresh, buffer, previous, affine, heights, crowd, size, elevation, rotates, facing_axes,
    colors, facing, custom_x, custom_y, custom_z, custom_w, custom_at, has_motion, seed, begin, end,
):  # fmt: skip
    """Write 3D transforms, y up: three rows [x axis, y axis, z axis, origin] of x, y, z; an agent looks along its -z axis."""
    width = np.int64(buffer.shape[1])
    map_height = np.int64(heights.shape[0])
    map_width = np.int64(heights.shape[1])
    has_previous = previous.shape[0] > 0
    first_slot = np.int64(crowd_numbers[FIRST_SLOT, crowd])
    for agent in range(begin, end):
        prefetch_row(buffer, np.int64(tags[AGENT_ID, min(agent + AHEAD, end - 1)]))
        if tags[CROWD, agent] != crowd or tags[STATUS, agent] == REMOVED:
            continue
        identity = np.int64(tags[AGENT_ID, agent])
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        ahead_x, ahead_z = drawn_axis(values, agent, identity, rotates, affine, facing, facing_axes, size, _ZERO, -size)
        up = elevation
        if map_height > 0 and map_width > 0:
            # Heights stand at tile centres; beyond the outermost centres the height stays the same.
            place_x = x - _HALF
            place_y = y - _HALF
            if place_x < _ZERO:
                place_x = _ZERO
            if place_y < _ZERO:
                place_y = _ZERO
            column = min(np.int64(place_x), map_width - 1)
            row = min(np.int64(place_y), map_height - 1)
            right = min(column + 1, map_width - 1)
            low = min(row + 1, map_height - 1)
            part_x = place_x - np.float32(column)
            part_y = place_y - np.float32(row)
            if part_x > _ONE:
                part_x = _ONE
            if part_y > _ONE:
                part_y = _ONE
            above = heights[row, column] + (heights[row, right] - heights[row, column]) * part_x
            below = heights[low, column] + (heights[low, right] - heights[low, column]) * part_x
            up += above + (below - above) * part_y
        buffer[identity, 0] = -ahead_z
        buffer[identity, 1] = _ZERO
        buffer[identity, 2] = -ahead_x
        buffer[identity, 3] = affine[0] * x + affine[1] * y + affine[2]
        buffer[identity, 4] = _ZERO
        buffer[identity, 5] = size
        buffer[identity, 6] = _ZERO
        buffer[identity, 7] = up
        buffer[identity, 8] = ahead_x
        buffer[identity, 9] = _ZERO
        buffer[identity, 10] = -ahead_z
        buffer[identity, 11] = affine[3] * x + affine[4] * y + affine[5]
        write_look(
            values, tags, agent, identity, buffer[identity], 12, colors, custom_at, has_motion, custom_x, custom_y, custom_z,
            custom_w, crowd, seed,
        )  # fmt: skip
        if has_previous and fresh[first_slot + identity] != 0:
            fresh[first_slot + identity] = np.uint8(0)
            for index in range(width):
                previous[identity, index] = buffer[identity, index]
