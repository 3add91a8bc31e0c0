"""Which layers are drawn and in which colours: in the editor the same for all maps, as its toolbar and settings say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pynav.drawing.roles import palette
from pynav.drawing.view import Layer

from .renderer import Palette


@dataclass
class Look:
    """What to draw, and how.

    Attributes:
        layers: what is drawn.
        unit_size: tiles a side of the unit whose clearance is drawn.
        palette: uint8 (256, 4), colours by role.
        serial: goes up when the palette changes.
        is_switched_on: whether the editor's tools are there.
        recall: called once for each map, when its tiles are known: puts its marks where they stood.
        listeners: called when a drawing has changed.
    """

    layers: Layer = field(default_factory=lambda: Layer(0))
    unit_size: int = 2
    palette: Palette = field(default_factory=palette)
    serial: int = 0
    is_switched_on: bool = False
    recall: Callable[[Any], None] = lambda drawn: None
    listeners: list[Callable[[], None]] = field(default_factory=list)


IN_EDITOR = Look()  # set by the editor's tools; without them nothing is drawn there
