"""The menu above the 2D and 3D views that says what is drawn over maps."""

from __future__ import annotations

from collections.abc import Callable

from addons.pynav.bridge import engine
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from pynav.drawing.view import Layer

LAYER_TEXTS = {
    Layer.TILES: ("Blocked and costly tiles", "Dark: no unit gets in. Orange: the stronger, the dearer to walk."),
    Layer.SECTORS: ("Sector borders", "The squares that the solver cuts the map into."),
    Layer.ISLANDS: (
        "Islands",
        "One hue for all that is connected; what has another hue is cut off from it.",
    ),
    Layer.PORTALS: ("Portals", "Bars: where units cross from sector to sector. Ticks: where routes may cross."),
    Layer.GRAPH: ("Graph with costs", "Ways from portal to portal with their length in tiles; orange ones wind."),
    Layer.CLEARANCE: ("Clearance", "Green: a unit of the size below fits. Orange: free, but too narrow for it."),
    Layer.FLOW: ("Flow to the probe", "Where units walk to the probe: drag its mark. Yellow is near, blue far."),
    Layer.PATH: ("Path of a test unit", "Drag both ends. Orange: the route over portals; white: the way that is walked."),
    Layer.CACHE: ("Cache", "Sectors whose directions are kept; the stronger, the more of them."),
    Layer.REBUILT: ("Last edit", "The sectors that the last edit had rebuilt."),
}
_SIZE_IDS = 1000


class DrawingToolbar:
    """A menu button; one for each view, all showing the same.

    Args:
        changed: called after the user switched something.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._text = "pynav"
        self.button = engine.MenuButton()
        self.button.name = "PynavDrawing"
        self.button.text = "pynav"
        self.button.tooltip_text = "What pynav's solver sees, drawn over maps."
        self.button.flat = False
        self.button.switch_on_hover = True
        self._popup = self.button.get_popup()
        self._popup.hide_on_checkable_item_selection = False
        self._fill()
        self._popup.connect("id_pressed", self._pressed)

    def _fill(self) -> None:
        popup = self._popup
        for layer, (text, tip) in LAYER_TEXTS.items():
            popup.add_check_item(text, int(layer))
            popup.set_item_tooltip(popup.item_count - 1, tip)
        popup.add_separator("Unit size of the clearance")
        for size in range(1, 6):
            popup.add_radio_check_item(f"{size} x {size} tiles", _SIZE_IDS + size)
        popup.add_separator()
        popup.add_item("Nothing", 0)
        self.refresh()

    def refresh(self) -> None:
        """Show what is switched on."""
        popup = self._popup
        for layer in LAYER_TEXTS:
            popup.set_item_checked(popup.get_item_index(int(layer)), bool(IN_EDITOR.layers & layer))
        for size in range(1, 6):
            popup.set_item_checked(popup.get_item_index(_SIZE_IDS + size), size == IN_EDITOR.unit_size)

    def show_progress(self, part: float) -> None:
        """How much of the maps' sectors is built, 0 to 1."""
        text = "pynav" if part >= 1.0 else f"pynav {100 * part:.0f} %"
        if text != self._text:
            self._text = self.button.text = text

    def _pressed(self, number: int) -> None:
        if number > _SIZE_IDS:
            IN_EDITOR.unit_size = number - _SIZE_IDS
        else:
            IN_EDITOR.layers = Layer(IN_EDITOR.layers ^ number) if number else Layer(0)
        self._changed()

    def free(self) -> None:
        """Take the button out of the editor."""
        self.button.queue_free()
