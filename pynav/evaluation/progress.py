"""A bar on the error stream for long runs."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

_WIDTH = 40

_Item = TypeVar("_Item")


def shown(items: Sequence[_Item], what: str, show: bool) -> Iterator[_Item]:
    """The items, with a bar if ``show``."""
    count = len(items)
    every = max(1, count // 200)
    for index, item in enumerate(items):
        if show and index % every == 0:
            _draw(index, count, what)
        yield item
    if show and count:
        _draw(count, count, what)
        print(file=sys.stderr)


def _draw(done: int, count: int, what: str) -> None:
    filled = _WIDTH * done // count
    print(f"\r[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{count} {what}", end="", file=sys.stderr, flush=True)
