"""Eight items at a time, and memory fetched ahead: what compilers don't do by themselves, though every processor can do it.

Each of these is an inline function whose plain body says what it does, and serves the python backend. For compiled kernels
the form in lane_code.py is taken instead; it has the same bits. Loops without branches whose sums and minima are whole numbers
need none of this: the compiler makes vectors of them as they stand.
"""

import numpy as np

from pynav.kernels.kernel import inline

LANES = 8


@inline
def discs_near(x_of, y_of, radius_of, first, x, y, reach):
    """Which of the discs first..first + LANES - 1 a point is near to.

    Args:
        x_of: float32 (n,), as ``y_of`` and ``radius_of``; read up to first + LANES - 1.
        y_of: see ``x_of``.
        radius_of: see ``x_of``.
        first: the first disc.
        x: of the point, float32.
        y: of the point, float32.
        reach: how much nearer than touching is not needed, float32.

    Returns:
        int64: bit k is set if the point lies less than reach + radius from the middle of disc first + k.
    """
    bits = 0
    for lane in range(LANES):
        away_x = x_of[first + lane] - x
        away_y = y_of[first + lane] - y
        limit = reach + radius_of[first + lane]
        if away_x * away_x + away_y * away_y < limit * limit:
            bits |= 1 << lane
    return bits


@inline
def items_below(values, limits, first):
    """Which of the items first..first + LANES - 1 are below those at the same place of another array.

    Args:
        values: int32 (n,); read up to first + LANES - 1, as ``limits``.
        limits: int32 (n,).
        first: the first item.

    Returns:
        int64: bit k is set if ``values[first + k] < limits[first + k]``.
    """
    bits = 0
    for lane in range(LANES):
        if values[first + lane] < limits[first + lane]:
            bits |= 1 << lane
    return bits


@inline
def append_set(out, count, first, bits):
    """Append first + k for each bit k that is set, in rising order.

    Args:
        out: int32 (n,); LANES items from ``count`` on are written, those behind the new ones with ``first``.
        count: items in use.
        first: see above.
        bits: int64, 0..255.

    Returns:
        int64: items in use now.
    """
    end = count
    for lane in range(LANES):
        if (bits >> lane) & 1:
            out[end] = np.int32(first + lane)
            end += 1
    for rest in range(end, count + LANES):
        out[rest] = np.int32(first)
    return end


@inline
def prefetch_row(table, row):
    """Tell the processor that a row is written soon, so that it need not wait for memory then; changes nothing.

    Args:
        table: float32 (n, m), C order.
        row: the row, int64; one behind the last does no harm.
    """
