"""Work in steps: generators that give how far they are, and what they made at the end."""

from collections.abc import Generator
from typing import Any, TypeVar

_Made = TypeVar("_Made")


def run_through(steps: Generator[Any, None, _Made]) -> _Made:
    """Do all steps at once; what they made."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: _Made = end.value
            return made
