"""Pictures of a map and of what the portal solver makes of it: ``python -m pynav draw``.

Layers: the ``sectors`` alone; their ``islands``; the ``portals`` between them; the portal ``graph``; the ``flow`` to a goal.
Colours can be told apart by people who see red and green alike (Okabe and Ito, 2008; the flow's scale is a cividis).
"""

from pynav.drawing.command import add_arguments, main
from pynav.drawing.layers import LAYERS, draw_layer

__all__ = ["LAYERS", "add_arguments", "draw_layer", "main"]
