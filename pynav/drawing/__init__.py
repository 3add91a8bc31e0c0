"""What the portal solver sees of a map, as plain arrays (`MapDrawing`), and pictures of it: ``python -m pynav draw``.

A drawing is made of pieces (piece.py), each a layer of a part of the map, described from the solver's own arrays in as much
detail as is in view. Renderers ask for what changed (sketch.py) and need nothing but a palette (roles.py). Colours can be told
apart by people who see red and green alike (Okabe and Ito, 2008; the flow's scale is a cividis).
"""

from pynav.drawing.command import add_arguments, main
from pynav.drawing.layers import LAYERS, draw_layer
from pynav.drawing.map_drawing import MapDrawing
from pynav.drawing.piece import Piece
from pynav.drawing.roles import Role, palette
from pynav.drawing.sketch import Change, Sketch
from pynav.drawing.view import Layer, View

__all__ = [
    "LAYERS",
    "Change",
    "Layer",
    "MapDrawing",
    "Piece",
    "Role",
    "Sketch",
    "View",
    "add_arguments",
    "draw_layer",
    "main",
    "palette",
]
