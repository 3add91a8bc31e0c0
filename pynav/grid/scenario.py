"""Reading ``.scen`` files, the start and goal pairs of the Moving AI benchmarks."""

import math
import os
from pathlib import Path
from typing import NamedTuple

from pynav.grid.errors import MapFormatError

_SIZE_LIMIT_BYTES = 64 * 1024 * 1024
_SHOWN = 40


class ScenarioLine(NamedTuple):
    """One problem of a scenario: from ``start`` to ``goal``, tiles (x, y), on the named map of width x height tiles."""

    bucket: int
    map_name: str
    width: int
    height: int
    start: tuple[int, int]
    goal: tuple[int, int]
    optimal_length: float  # straight steps 1, diagonal ones the square root of 2, no corner cutting


def load_scenario(path: str | os.PathLike[str]) -> list[ScenarioLine]:
    """The problems of a scenario file, in its order.

    Args:
        path: the file: ``version 1`` (or 1.0), then ``bucket map width height sx sy gx gy length`` a line, parted by tabs
            or blanks; blank lines are passed over, lines may end in CRLF.

    Returns:
        The lines, at least one.

    Raises:
        MapFormatError: the file is missing, unreadable, empty, not text or over 64 MiB; the version is another; a line has
            another number of fields, a field that is no number, a tile outside its map. One line: file, line, what was
            expected, what came.
    """
    name = os.fspath(path)
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise MapFormatError(f"{name}: expected a scenario file, got a folder or device")
        with Path(path).open("rb") as stream:
            data = stream.read(_SIZE_LIMIT_BYTES + 1)
    except OSError as error:
        raise MapFormatError(f"{name}: expected a readable scenario file, got: {error.strerror or error}") from None
    if len(data) > _SIZE_LIMIT_BYTES:
        raise MapFormatError(f"{name}: expected a scenario of at most {_SIZE_LIMIT_BYTES} bytes, got a bigger file")
    if not data.strip():
        raise MapFormatError(f"{name}: expected a scenario, got an empty file")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise MapFormatError(f"{name}: expected a text file, got binary data")
    lines = text.split("\n")
    version = lines[0].split()
    if version not in (["version", "1"], ["version", "1.0"]):
        raise MapFormatError(f"{name}, line 1: expected 'version 1', got {_shown(lines[0])}")
    problems = [_problem(name, number, line) for number, line in enumerate(lines[1:], start=2) if line.strip()]
    if not problems:
        raise MapFormatError(f"{name}: expected at least one problem after the version, got none")
    return problems


def _problem(name: str, number: int, line: str) -> ScenarioLine:
    fields = line.split("\t") if line.count("\t") == 8 else line.split()
    fields = [field.strip() for field in fields]
    where = f"{name}, line {number}"
    if len(fields) != 9:
        raise MapFormatError(f"{where}: expected 9 fields (bucket map width height sx sy gx gy length), got {len(fields)}")
    try:
        bucket, width, height, sx, sy, gx, gy = (int(fields[index]) for index in (0, 2, 3, 4, 5, 6, 7))
        length = float(fields[8])
    except ValueError:
        raise MapFormatError(f"{where}: expected numbers in all fields but the map's, got {_shown(line)}") from None
    if width < 1 or height < 1:
        raise MapFormatError(f"{where}: expected a map of at least 1 x 1 tiles, got {width} x {height}")
    if not (math.isfinite(length) and length >= 0):
        raise MapFormatError(f"{where}: expected a length of 0 or more, got {_shown(fields[8])}")
    for x, y in ((sx, sy), (gx, gy)):
        if not (0 <= x < width and 0 <= y < height):
            raise MapFormatError(f"{where}: expected tiles within {width} x {height}, got ({x}, {y})")
    return ScenarioLine(bucket, fields[1], width, height, (sx, sy), (gx, gy), length)


def _shown(text: str) -> str:
    line = text.strip()
    if not line:
        return "nothing"
    return ascii(line[:_SHOWN]) + (" ..." if len(line) > _SHOWN else "")
