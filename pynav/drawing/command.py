"""The command ``python -m pynav draw``."""

import argparse
import sys
from pathlib import Path

from pynav.drawing.layers import LAYERS, draw_layer
from pynav.grid import MapFormatError, TileGrid, load_octile_map
from pynav.picture import write_png

_GREATEST_SCALE = 64
_GREATEST_PIXELS = 100_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m pynav draw``."""
    parser.add_argument("map", type=Path, metavar="MAP", help="an octile .map file")
    parser.add_argument("--layer", choices=list(LAYERS), required=True, help="what to draw")
    parser.add_argument("--goal", metavar="X,Y", help="the tile that the flow leads to; default: near the middle")
    parser.add_argument("--scale", type=int, metavar="N", help="pixels a tile; default: as large as 2048 pixels allow")
    parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="the PNG file to write")


def _goal(text: str | None, layer: str, grid: TileGrid) -> tuple[int, int] | None:
    """The goal as a free tile; ValueError in words otherwise."""
    if text is None:
        return None
    if layer != "flow":
        raise ValueError(f"expected --goal with --layer flow alone, got --layer {layer}")
    parts = text.split(",")
    try:
        x, y = (int(part) for part in parts)
    except ValueError:
        raise ValueError(f"expected --goal as X,Y in whole tiles, got {text!r}") from None
    if not grid.is_free(x, y):
        what = "a solid tile" if grid.contains(x, y) else "a place outside"
        raise ValueError(f"expected --goal on a free tile of {grid.width} x {grid.height}, got {what}: {x},{y}")
    return x, y


def main(options: argparse.Namespace) -> int:
    """Draw from the command line; 0 if the picture was written, 2 for arguments or files that can't be used."""
    try:
        grid = TileGrid(load_octile_map(options.map))
        goal = _goal(options.goal, options.layer, grid)
        if options.scale is not None and not 1 <= options.scale <= _GREATEST_SCALE:
            raise ValueError(f"expected --scale of 1 to {_GREATEST_SCALE}, got {options.scale}")
        if options.scale is not None and options.scale**2 * grid.width * grid.height > _GREATEST_PIXELS:
            raise ValueError(f"expected a picture of at most {_GREATEST_PIXELS} pixels, got --scale {options.scale}")
        if grid.free_count == 0:
            raise ValueError(f"expected a map with a free tile, got none in {options.map.name}")
        pixels = draw_layer(grid, options.layer, goal, options.scale)
        write_png(options.out, pixels)
    except (MapFormatError, ValueError, OSError) as problem:
        print(f"pynav: {problem}", file=sys.stderr)
        return 2
    print(f"{options.out}: {pixels.shape[1]} x {pixels.shape[0]} pixels, {options.layer} of {options.map.name}")
    return 0
