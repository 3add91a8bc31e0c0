"""Reading octile ``.map`` files, the format of the Moving AI benchmarks.

The format is a header of four lines, ``type octile``, ``height H``, ``width W``, ``map``, and H rows of W characters: ``.``,
``G`` and ``S`` (swamp) are free, ``@``, ``O``, ``T`` (trees) and ``W`` (water) are solid. (N. R. Sturtevant, Benchmarks for
Grid-Based Pathfinding, IEEE TCIAIG 4(2), 2012.)
"""

import os
from collections.abc import Generator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pynav.grid.errors import MapFormatError
from pynav.jobs.step_by_step import run_through

_FREE = b".GS"
_SOLID = b"@OTW"
SIDE_LIMIT = 16_384  # tiles; a header that asks for more is refused before anything is allocated
_HEADER_BYTES = 4096  # more than any header has
_TRAILING_BYTES = 4096  # blank lines at the end are tolerated up to this
_TILES_PER_STEP = 1 << 17  # read at once
_SHOWN = 24  # characters of a faulty line that a message shows


def load_octile_map(path: str | os.PathLike[str]) -> npt.NDArray[np.uint8]:
    """The costs of an octile map file.

    Args:
        path: the file; lines may end in LF or CRLF, the last one in nothing.

    Returns:
        uint8 (height, width): 1 for ``.``, ``G`` and ``S``, 0 for ``@``, ``O``, ``T`` and ``W``; fit for ``TileGrid``.

    Raises:
        MapFormatError: the file is missing or unreadable, empty, not text, has a faulty header, a side of 0 or over 16,384
            tiles, a row too short or too long, too few rows, an unknown character, or something after the last row. The
            message is one line: file, line, what was expected, what came.

    Notes:
        Allocates no more than the file's own size. About 20 ns a tile.
    """
    return run_through(octile_map_steps(path))


def octile_map_steps(path: str | os.PathLike[str]) -> Generator[float, None, npt.NDArray[np.uint8]]:
    """As ``load_octile_map``, in steps of some milliseconds, for those who must not stall: each gives the part that is read."""
    name = os.fspath(path)
    file = Path(path)
    try:
        if file.exists() and not file.is_file():
            raise MapFormatError(f"{name}: expected a map file, got a folder or device")
        with file.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            width, height, start = _header(name, stream.read(_HEADER_BYTES))
            if size > start + height * (width + 2) + _TRAILING_BYTES:
                raise MapFormatError(
                    f"{name}: expected the end of the file after {height} rows of {width} tiles, got a file of {size} bytes"
                )
            stream.seek(0)
            data = stream.read(size)
    except OSError as error:
        raise MapFormatError(f"{name}: expected a readable map file, got: {error.strerror or error}") from None
    return (yield from _rows(name, data, start, width, height))


def _header(name: str, data: bytes) -> tuple[int, int, int]:
    """Width, height and where the rows begin."""
    if not data.strip():
        raise MapFormatError(f"{name}: expected an octile map, got an empty file")
    if b"\0" in data:
        raise MapFormatError(f"{name}: expected a text file, got binary data (a zero byte in the header)")
    lines = data.split(b"\n", 4)
    sizes: dict[str, int] = {}
    for index, wanted in enumerate(("type octile", "height", "width", "map")):
        line = lines[index].rstrip(b"\r").strip() if index < len(lines) else b""
        if wanted in ("height", "width"):
            words = line.split()
            if len(words) != 2 or words[0] != wanted.encode() or not words[1].isdigit():
                raise MapFormatError(f"{name}, line {index + 1}: expected '{wanted} N', got {_shown(line)}")
            if len(words[1]) > 9 or not 1 <= int(words[1]) <= SIDE_LIMIT:
                raise MapFormatError(
                    f"{name}, line {index + 1}: expected a {wanted} of 1 to {SIDE_LIMIT} tiles, got {_shown(words[1])}"
                )
            sizes[wanted] = int(words[1])
        elif line.split() != wanted.encode().split():
            raise MapFormatError(f"{name}, line {index + 1}: expected '{wanted}', got {_shown(line)}")
    start = sum(len(line) + 1 for line in lines[:4])
    return sizes["width"], sizes["height"], start


def _rows(name: str, data: bytes, start: int, width: int, height: int) -> Generator[float, None, npt.NDArray[np.uint8]]:
    # No more rows than the file can hold: a tiny file with a huge header gets its error, not the memory it asks for.
    costs = np.zeros((min(height, (len(data) - start) // width + 1), width), dtype=np.uint8)
    table = np.full(256, 255, dtype=np.uint8)
    table[list(_FREE)] = 1
    table[list(_SOLID)] = 0
    at = start
    for row in range(height):
        line_number = row + 5
        if row % max(_TILES_PER_STEP // width, 1) == 0:
            yield row / height
        if at >= len(data):
            raise MapFormatError(f"{name}: expected {height} rows, got {row}")
        end = data.find(b"\n", at, at + width + 2)
        if end < 0:
            # No line end where one must be: the last row of the file, or a row that is too long.
            end = min(len(data), at + width + 2)
        line = data[at:end].removesuffix(b"\r")
        values = table[np.frombuffer(line, dtype=np.uint8)]
        unknown = np.flatnonzero(values == 255)
        if unknown.size:
            column = int(unknown[0])
            came = _shown(line[column : column + 1])
            raise MapFormatError(f"{name}, line {line_number}, column {column + 1}: expected one of '.GS@OTW', got {came}")
        if len(line) < width:
            raise MapFormatError(f"{name}, line {line_number}: expected a row of {width} tiles, got only {len(line)}")
        if len(line) > width:
            raise MapFormatError(f"{name}, line {line_number}: expected a row of {width} tiles, got a longer one")
        costs[row] = values
        at = end + 1
    rest = data[at:]
    if rest.strip():
        raise MapFormatError(f"{name}, line {height + 5}: expected the end of the file after {height} rows, got {_shown(rest)}")
    return costs


def _shown(text: bytes) -> str:
    """A piece of a file for a message: one line, short, printable."""
    line = text.split(b"\n", 1)[0].rstrip(b"\r")
    if not line:
        return "nothing"
    shown = repr(line[:_SHOWN].decode("ascii", errors="backslashreplace"))
    return shown + (" ..." if len(line) > _SHOWN else "")
