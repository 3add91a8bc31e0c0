"""Kernels of the exact field: the nearest target of every cell, row by row (own; after Felzenszwalb and Huttenlocher 2012).

Along a row the squared distance to a target is a parabola, all of one width, so the nearest targets are the lower envelope of
parabolas, found in one pass over targets sorted by x. Their places within cells count: the answer is exact, where passes over
cells are not. Voronoi cells are convex, so one that reaches into a band of rows without holding its target in the band crosses
an edge of the band: the targets on the envelopes of the two edges, and those in the band, are all that its rows need look at.
"""

import numpy as np

from pynav.kernels import block_kernel, inline, kernel

BAND_ROWS = 16
DONE, PHASE, INDEX = range(3)
PEAK_BEGIN, PEAK_X, PEAK_HEIGHT = range(3)
PEAK_VALUES = 4


@inline
def build_envelope(y, place_x, place_y, candidates, count, stack, peaks, line):
    """Lower envelope at height ``y`` of the candidates in ``candidates[line]``; how many are left, in ``stack[line]``.

    ``peaks[line]`` holds beside each from which x on it is nearest, its x, and how high its parabola stands. Of two in the same
    place the first stays. Quotients are compared as products, for most of what is taken off again is so never divided.
    """
    top = np.int64(0)
    for index in range(count):
        item = np.int64(candidates[line, index])
        x = place_x[item]
        away = place_y[item] - y
        height = away * away + x * x
        keeps = True
        while top > 0:
            apart = x - peaks[line, top - 1, PEAK_X]
            rise = height - peaks[line, top - 1, PEAK_HEIGHT]
            if apart <= np.float64(0.0):
                if rise >= np.float64(0.0):
                    keeps = False
                    break
            elif rise > peaks[line, top - 1, PEAK_BEGIN] * (apart + apart):
                break
            top -= 1
        if keeps:
            stack[line, top] = np.int32(item)
            peaks[line, top, PEAK_X] = x
            peaks[line, top, PEAK_HEIGHT] = height
            begin = np.float64(-1e300)
            if top > 0:
                apart = x - peaks[line, top - 1, PEAK_X]
                begin = (height - peaks[line, top - 1, PEAK_HEIGHT]) / (apart + apart)
            peaks[line, top, PEAK_BEGIN] = begin
            top += 1
    return top


@inline
def find_edge(edge, place_x, place_y, candidates, edge_stack, peaks, edge_count, start_y, height):
    """The envelope of all targets at the upper edge of band ``edge``."""
    total = np.int64(place_x.shape[0])
    for index in range(total):
        candidates[edge, index] = np.int32(index)
    y = start_y + np.float64(edge * BAND_ROWS) * height
    edge_count[edge] = build_envelope(y, place_x, place_y, candidates, total, edge_stack, peaks, edge)


@inline
def fill_band(
    band, place_x, place_y, slots, candidates, edge_stack, edge_count, stack, peaks, nearest, columns, start_x, start_y, width,
    height,
):  # fmt: skip
    """Nearest targets of all cells of a band."""
    total = np.int64(place_x.shape[0])
    upper = start_y + np.float64(band * BAND_ROWS) * height
    lower = start_y + np.float64((band + 1) * BAND_ROWS) * height
    first = np.int64(0)
    second = np.int64(0)
    count = np.int64(0)
    for index in range(total):
        wanted = place_y[index] >= upper and place_y[index] <= lower
        if first < edge_count[band] and edge_stack[band, first] == index:
            first += 1
            wanted = True
        if second < edge_count[band + 1] and edge_stack[band + 1, second] == index:
            second += 1
            wanted = True
        if wanted:
            candidates[band, count] = np.int32(index)
            count += 1
    rows = np.int64(nearest.shape[0]) // columns
    for row in range(band * BAND_ROWS, min(rows, (band + 1) * BAND_ROWS)):
        y = start_y + (np.float64(row) + np.float64(0.5)) * height
        top = build_envelope(y, place_x, place_y, candidates, count, stack, peaks, band)
        at = np.int64(0)
        slot = slots[stack[band, 0]]
        for column in range(columns):
            x = start_x + (np.float64(column) + np.float64(0.5)) * width
            while at + 1 < top and peaks[band, at + 1, PEAK_BEGIN] < x:
                at += 1
                slot = slots[stack[band, at]]
            nearest[row * columns + column] = slot


@block_kernel(
    "float64[::1] place_x, float64[::1] place_y, int32[:, ::1] candidates, int32[:, ::1] edge_stack, float64[:, :, ::1] peaks,"
    " int64[::1] edge_count, float64 start_y, float64 height"
)
def find_edges(place_x, place_y, candidates, edge_stack, peaks, edge_count, start_y, height, begin, end):
    """Envelopes at the upper edges of bands ``begin..end`` (the last one is the lower edge of the box)."""
    for edge in range(begin, end):
        find_edge(edge, place_x, place_y, candidates, edge_stack, peaks, edge_count, start_y, height)


@block_kernel(
    "float64[::1] place_x, float64[::1] place_y, int32[::1] slots, int32[:, ::1] candidates, int32[:, ::1] edge_stack,"
    " int64[::1] edge_count, int32[:, ::1] stack, float64[:, :, ::1] peaks, int32[::1] nearest, int64 columns, float64 start_x,"
    " float64 start_y, float64 width, float64 height"
)
def fill_bands(
    place_x, place_y, slots, candidates, edge_stack, edge_count, stack, peaks, nearest, columns, start_x, start_y, width, height,
    begin, end,
):  # fmt: skip
    """Nearest targets of the cells of bands ``begin..end``."""
    for band in range(begin, end):
        fill_band(
            band, place_x, place_y, slots, candidates, edge_stack, edge_count, stack, peaks, nearest, columns, start_x, start_y,
            width, height,
        )  # fmt: skip


@kernel(
    "int64[::1] progress, float64[::1] place_x, float64[::1] place_y, int32[::1] slots, int32[:, ::1] candidates,"
    " int32[:, ::1] edge_stack, int64[::1] edge_count, int32[:, ::1] stack, float64[:, :, ::1] peaks, int32[::1] nearest,"
    " int64 columns, float64 start_x, float64 start_y, float64 width, float64 height"
)
def nearest_slice(
    progress, place_x, place_y, slots, candidates, edge_stack, edge_count, stack, peaks, nearest, columns, start_x, start_y,
    width, height,
):  # fmt: skip
    """A slice of an update: one edge, or one band. Same bits as in one go."""
    index = progress[INDEX]
    edges = np.int64(edge_count.shape[0])
    if progress[PHASE] == 0:
        find_edge(index, place_x, place_y, candidates, edge_stack, peaks, edge_count, start_y, height)
        index += 1
        if index == edges:
            progress[PHASE] = 1
            index = np.int64(0)
    else:
        fill_band(
            index, place_x, place_y, slots, candidates, edge_stack, edge_count, stack, peaks, nearest, columns, start_x, start_y,
            width, height,
        )  # fmt: skip
        index += 1
        if index == edges - 1:
            progress[DONE] = 1
    progress[INDEX] = index
