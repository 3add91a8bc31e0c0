"""What a renderer asks of whatever is drawn: the seam on which drawings of other things than maps hang too."""

from typing import NamedTuple, Protocol

from pynav.drawing.piece import Piece
from pynav.drawing.view import Key, View


class Change(NamedTuple):
    """A piece to draw from now on, or (None) to draw no more."""

    key: Key
    piece: Piece | None


class Sketch(Protocol):
    """Something that can be drawn in pieces, described anew where it changed."""

    def look_at(self, view: View) -> None:
        """Show another part, or the same at another size."""

    def advance(self, seconds: float) -> list[Change]:
        """Describe what is due, for about that long; what has changed since the last time."""

    @property
    def is_busy(self) -> bool:
        """Whether something is still due."""
