"""Kernels of the relaxed field: the post's update, double-buffered.

A cell's direction in the post sums, with decay, the differences of its neighbours' strengths. Sums and differences commute, so
one filtered strength is kept instead of two components, and directions are its differences, taken once when a field is
published. Arrays are padded; the outermost ring stays 0, so a neighbour that is not there adds nothing, as in the post.
"""

import numpy as np

from pynav.kernels import block_kernel, inline, kernel

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_NEVER = np.float32(np.inf)
DONE, SWEEP, ROW = range(3)


@inline
def relax_row(old, new, filtered, row, share, decay, floor):
    """One row of one sweep. What falls below ``floor`` is 0: denormals would make a dying field twenty times slower."""
    for column in range(1, old.shape[1] - 1):
        own = old[row, column]
        around = (old[row, column + 1] + old[row, column - 1]) + (old[row + 1, column] + old[row - 1, column])
        strength = (own + share * around) * decay
        passed = (filtered[row, column] + own) * decay
        new[row, column] = strength if abs(strength) > floor else _ZERO
        filtered[row, column] = passed if abs(passed) > floor else _ZERO


@inline
def add_sources(new, cells, amounts, count, decay):
    """What the sources add to their cells in a sweep; in the order of their slots, for equal sums everywhere."""
    width = np.int64(new.shape[1])
    for index in range(count):
        cell = np.int64(cells[index])
        row = cell // width
        new[row, cell - row * width] += amounts[index] * decay


@inline
def add_own_directions(own_x, own_y, cells, push_x, push_y, count, decay):
    """The engine's own-cell term: it decays in all cells, and sources add theirs."""
    width = np.int64(own_x.shape[1])
    if width > 0:
        for row in range(own_x.shape[0]):
            for column in range(width):
                own_x[row, column] *= decay
                own_y[row, column] *= decay
        for index in range(count):
            cell = np.int64(cells[index])
            row = cell // width
            own_x[row, cell - row * width] += push_x[index] * decay
            own_y[row, cell - row * width] += push_y[index] * decay


@inline
def arrow(x, y, width, height, weakest):
    """A vector of length 1 in that direction, for cells of that size; 0 if neither component is larger than ``weakest``.

    Scaled by the larger component first, for weak far fields. Without branches, so that the compiler makes vectors of the loops
    that call it.
    """
    calls = _ONE if max(abs(x), abs(y)) > weakest else _ZERO
    x *= width
    y *= height
    size_x = abs(x)
    size_y = abs(y)
    largest = size_x if size_x > size_y else size_y
    largest = largest if largest > _ZERO else _ONE
    x /= largest
    y /= largest
    length = np.sqrt(x * x + y * y)
    length = length if length > _ZERO else _ONE
    return x / length * calls, y / length * calls


@inline
def weakest_call(weakest, count):
    """What an arrow must be larger than. Where no source is left none calls: strengths fade as in the post, but lead nobody to
    where somebody was. What was pushed alone (``count[1]``) leads on until it has faded.
    """
    return weakest if count[0] > 0 or count[1] > 0 else _NEVER


@inline
def publish_row(strength, filtered, own_x, own_y, shown, directions, row, pad, share, width, height, weakest):
    """Strengths and unit directions (x and y in turn) of a row as they are shown; few arrays a loop, for they might overlap."""
    columns = np.int64(shown.shape[1])
    line = row + pad
    first = row * columns
    for column in range(columns):
        shown[row, column] = strength[line, column + pad]
    if own_x.shape[0] > 0:
        for column in range(columns):
            place = column + pad
            x = share * (filtered[line, place + 1] - filtered[line, place - 1]) + own_x[line, place]
            y = share * (filtered[line + 1, place] - filtered[line - 1, place]) + own_y[line, place]
            x, y = arrow(x, y, width, height, weakest)
            directions[2 * (first + column)] = x
            directions[2 * (first + column) + 1] = y
    else:
        for column in range(columns):
            place = column + pad
            x = share * (filtered[line, place + 1] - filtered[line, place - 1])
            y = share * (filtered[line + 1, place] - filtered[line - 1, place])
            x, y = arrow(x, y, width, height, weakest)
            directions[2 * (first + column)] = x
            directions[2 * (first + column) + 1] = y


@block_kernel("float32[:, ::1] old, float32[:, ::1] new, float32[:, ::1] filtered, float32 share, float32 decay, float32 floor")
def relax_rows(old, new, filtered, share, decay, floor, begin, end):
    """Rows ``begin + 1 .. end`` of one sweep."""
    for row in range(begin + 1, end + 1):
        relax_row(old, new, filtered, row, share, decay, floor)


@kernel(
    "float32[:, ::1] new, float32[:, ::1] own_x, float32[:, ::1] own_y, int32[::1] cells, float32[::1] amounts,"
    " float32[::1] push_x, float32[::1] push_y, int64[::1] count, float32 decay"
)
def inject(new, own_x, own_y, cells, amounts, push_x, push_y, count, decay):
    """What the sources add in one sweep."""
    add_sources(new, cells, amounts, count[0], decay)
    add_own_directions(own_x, own_y, cells, push_x, push_y, count[0], decay)


@block_kernel(
    "float32[:, ::1] strength, float32[:, ::1] filtered, float32[:, ::1] own_x, float32[:, ::1] own_y, float32[:, ::1] shown,"
    " float32[::1] directions, int64[::1] count, int64 pad, float32 share, float32 width, float32 height, float32 weakest"
)
def publish_rows(
    strength, filtered, own_x, own_y, shown, directions, count, pad, share, width, height, weakest, begin, end
):  # fmt: skip
    """Rows ``begin..end`` of the published field."""
    least = weakest_call(weakest, count)
    for row in range(begin, end):
        publish_row(strength, filtered, own_x, own_y, shown, directions, row, pad, share, width, height, least)


@kernel(
    "int64[::1] progress, float32[:, ::1] one, float32[:, ::1] other, float32[:, ::1] filtered, float32[:, ::1] own_x,"
    " float32[:, ::1] own_y, int32[::1] cells, float32[::1] amounts, float32[::1] push_x, float32[::1] push_y, int64[::1] count,"
    " float32[:, ::1] shown, float32[::1] directions, int64 sweeps, int64 rows_a_slice, int64 pad, float32 share,"
    " float32 decay, float32 floor, float32 width, float32 height, float32 weakest"
)
def relax_slice(
    progress, one, other, filtered, own_x, own_y, cells, amounts, push_x, push_y, count, shown, directions, sweeps,
    rows_a_slice, pad, share, decay, floor, width, height, weakest,
):  # fmt: skip
    """A slice of a whole update: some rows of a sweep, or of what is published after the last. Same bits as in one go."""
    sweep = progress[SWEEP]
    row = progress[ROW]
    inner = np.int64(one.shape[0]) - 2
    if sweep < sweeps:
        stop = min(inner, row + rows_a_slice)
        for line in range(row + 1, stop + 1):
            if sweep % 2 == 0:
                relax_row(one, other, filtered, line, share, decay, floor)
            else:
                relax_row(other, one, filtered, line, share, decay, floor)
        if stop == inner:
            if sweep % 2 == 0:
                add_sources(other, cells, amounts, count[0], decay)
            else:
                add_sources(one, cells, amounts, count[0], decay)
            add_own_directions(own_x, own_y, cells, push_x, push_y, count[0], decay)
            stop = np.int64(0)
            sweep += 1
        progress[SWEEP] = sweep
        progress[ROW] = stop
    else:
        least = weakest_call(weakest, count)
        rows = np.int64(shown.shape[0])
        stop = min(rows, row + rows_a_slice)
        for line in range(row, stop):
            if sweeps % 2 == 0:
                publish_row(one, filtered, own_x, own_y, shown, directions, line, pad, share, width, height, least)
            else:
                publish_row(other, filtered, own_x, own_y, shown, directions, line, pad, share, width, height, least)
        progress[ROW] = stop
        if stop == rows:
            progress[DONE] = 1
