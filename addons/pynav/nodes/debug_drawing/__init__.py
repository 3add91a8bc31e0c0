"""What the solver sees, drawn over a map node: in the running game by `debug_draw`, in the editor by its toolbar.

The core describes (pynav/drawing); here are the two renderers, how a node's view is found, and who drives it all once a frame.
Another node family hangs its drawing here by giving `DrawnNode` a sketch of its own.
"""

from .drawn_map import DrawnMap, drawn_maps
from .drawn_node import DrawnNode

__all__ = ["DrawnMap", "DrawnNode", "drawn_maps"]
