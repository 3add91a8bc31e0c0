"""The panel on top of a map in the inspector: its figures, and the buttons Bake, Clear and Validate."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import engine, is_valid, on_frame, remove_on_frame, singleton
from addons.pynav.nodes.baked_map import baked

from .bake_window import BakeWindow
from .figure_grid import FigureGrid
from .map_figures import FigureCount, MapFigures

_WAIT_FRAMES = 15  # after a change, so that a stroke of the brush doesn't count at each tile
_BUTTONS = {
    "Bake": "Keep what the source gives now, with static bodies on the layers of Bake Collision Mask, in the scene: it can be "
    "painted then, and needs no source any more.",
    "Clear": "Drop the baked map: all tiles cost fill_cost again.",
    "Validate": "Look for what is wrong: empty sources, a damaged map, parts that no way connects.",
}


class MapPanel:
    """Fills a container of the inspector for one map, and keeps it up to date while it is there.

    Args:
        node: the map.
        plugin: the editor plugin, for undo.
    """

    def __init__(self, node: Any, plugin: Any) -> None:
        self._node, self._plugin = node, plugin
        self._count: FigureCount | None = None
        self._due = 1
        self._serial: Any = None
        self._bake: BakeWindow | None = None
        self.figures: MapFigures | None = None
        self.box = engine.VBoxContainer()
        self.box.name = "PynavPanel"
        self._grid = FigureGrid()
        self.box.add_child(self._grid.box)
        row = engine.HBoxContainer()
        for text, tip in _BUTTONS.items():
            button = engine.Button()
            button.text, button.tooltip_text = text, tip
            button.size_flags_horizontal = engine.Control.SIZE_EXPAND_FILL
            button.connect("pressed", getattr(self, f"_{text.lower()}_pressed"))
            row.add_child(button)
        self.box.add_child(row)
        self._message = engine.Label()
        self._message.autowrap_mode = engine.TextServer.AUTOWRAP_WORD_SMART
        self._message.custom_minimum_size = (100, 0)
        self._message.visible = False
        self.box.add_child(self._message)
        self._show(None)
        self._is_open = True
        on_frame(self._frame)

    def close(self) -> None:
        """The inspector shows something else."""
        if not self._is_open:
            return
        self._is_open = False
        remove_on_frame(self._frame)
        if self._bake is not None:
            self._bake.cancel()
        self._count = None

    def note_change(self) -> None:
        """The map may have changed: count again soon."""
        self._due = _WAIT_FRAMES

    def _frame(self) -> None:
        if not is_valid(self.box) or not is_valid(self._node):
            self.close()
            return
        if not self.box.is_inside_tree() or not self._node.is_inside_tree():
            return
        if self._node._source_serial != self._serial:
            self._serial = self._node._source_serial
            self._due = max(self._due, _WAIT_FRAMES) if self.figures is not None else 1
        if self._due:
            self._due -= 1
            if not self._due:
                content = self._node._editor_content()
                self._count = None if content is None else FigureCount(content.cost.copy())
                if content is None:
                    is_reading = self._node._is_reading  # it is being generated: ask again
                    self._show(None, "..." if is_reading else "none")
                    self._due = _WAIT_FRAMES if is_reading else 0
        elif self._count is not None and self._count.advance():
            self.figures, self._count = self._count.figures, None
            self._show(self.figures)

    def _show(self, figures: MapFigures | None, instead: str = "...") -> None:
        self._grid.show(figures.rows_of_text() if figures is not None else [("Tiles", instead)])

    def _say(self, text: str, good: bool = False) -> None:
        self._message.text = text
        theme = singleton("EditorInterface").get_editor_theme()
        colour = theme.get_color("success_color" if good else "warning_color", "Editor")
        self._message.add_theme_color_override("font_color", colour)
        self._message.visible = True

    # --- the buttons

    def _bake_pressed(self) -> None:
        if self._bake is None or not self._bake.is_running:
            self._message.visible = False
            self._bake = BakeWindow(self._node, self._baked, self._say)

    def _baked(self, costs: Any) -> None:
        self._change("Bake", baked(costs), self._node.BAKED)
        toaster = singleton("EditorInterface").get_editor_toaster()  # the inspector makes this panel anew: the source is another
        toaster.push_toast(f"{self._node.name}: baked {costs.shape[1]:,} x {costs.shape[0]:,} tiles.", toaster.SEVERITY_INFO)

    def _clear_pressed(self) -> None:
        self._message.visible = False
        if self._node.baked_map is not None or int(self._node.cost_source) == self._node.BAKED:
            self._change("Clear", None, self._node.CODE)

    def _change(self, what: str, resource: Any, source: int) -> None:
        node, undo = self._node, self._plugin.get_undo_redo()
        undo.create_action(f"{what} {node.name}", 0, node)
        for name, value in (("baked_map", resource), ("cost_source", source)):
            undo.add_do_property(node, name, value)
            undo.add_undo_property(node, name, getattr(node, name))
        if resource is not None:
            undo.add_do_reference(resource)
        undo.commit_action()

    def _validate_pressed(self) -> None:
        problems = [str(problem) for problem in self._node.get_problems()]
        figures = self.figures
        if not problems and figures is not None:
            if figures.free == 0:
                problems.append("All tiles are solid: nobody can stand on this map.")
            elif figures.islands > 1:
                problems.append(
                    f"{figures.islands:,} islands are cut off from one another: units don't get from one to the other. "
                    "See them with pynav > Islands above the view."
                )
        self._say("\n".join(problems) or "All is well: one island, and nothing is missing.", not problems)
