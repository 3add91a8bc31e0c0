"""The part of the editor plugin that makes *Focus*, *Center* and *Frame Selection* (F, Shift+F) go for a whole map.

To the engine a map is a point, its origin: only its own classes can have an extent there. So what it is asked for is done once
more with a stand-in that is selected for this one call, a Control as large as the map or, in 3D, a node in the map's middle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import Vector2, Vector3, engine, is_valid, on_frame, remove_on_frame, singleton
from addons.pynav.nodes import FlowFieldMap2D, FlowFieldMap3D

from .editor_part import EditorPart

_CANVAS = ("canvas_item_editor/center_selection", "canvas_item_editor/frame_selection")
_WAIT_FRAMES = 2  # the 2D view moves from where it was drawn last, so what the engine did at once must have been drawn
_SPACE = "spatial_editor/focus_selection"


class FocusPart(EditorPart):
    """Listens to the menus of the views; the key in the 3D view does not come through them."""

    def enter(self) -> None:
        """Find the menus."""
        self._edited: Any = None
        self._is_asking, self._wait = False, 0
        self._due: tuple[Any, int] = (None, 0)
        self._menus: list[tuple[Any, int, Any]] = []  # menu, number of the item, what is called
        shortcuts = [_shortcut(name) for name in (*_CANVAS, _SPACE)]
        for button in singleton("EditorInterface").get_editor_main_screen().find_children("*", "MenuButton", True, False):
            menu = button.get_popup()
            for index in range(menu.item_count):
                if menu.get_item_shortcut(index) in shortcuts:
                    self._listen(menu, int(menu.get_item_id(index)))

    def _listen(self, menu: Any, wanted: int) -> None:
        def pressed(number: int) -> None:
            if number == wanted and not self._is_asking:
                if not self._wait:
                    on_frame(self._frame)
                self._due, self._wait = (menu, number), _WAIT_FRAMES

        menu.connect("id_pressed", pressed)
        self._menus.append((menu, wanted, pressed))

    def leave(self) -> None:
        """Forget the menus."""
        if self._wait:
            remove_on_frame(self._frame)
        for menu, _, pressed in self._menus:
            if is_valid(menu):
                menu.disconnect("id_pressed", pressed)
        self._menus.clear()
        self._edited = None

    def _frame(self) -> None:
        self._wait -= 1
        if self._wait == 0:
            remove_on_frame(self._frame)
            self._ask_again(*self._due)

    def handles(self, edited: Any) -> bool:
        """Maps."""
        return isinstance(edited, (FlowFieldMap2D, FlowFieldMap3D))

    def edit(self, edited: Any | None) -> None:
        """Another map was selected."""
        self._edited = edited

    def space_input(self, camera: Any, event: Any) -> int:
        """The key in a 3D view: as if its menu had been used."""
        if not isinstance(event, engine.InputEventKey) or not event.pressed or not _shortcut(_SPACE).matches_event(event):
            return 0
        view = camera.get_viewport().get_parent().get_parent()
        for menu, number, _ in self._menus:
            if view.is_ancestor_of(menu) and self._ask_again(menu, number):
                return int(self.plugin.AFTER_GUI_INPUT_STOP)
        return 0

    def _ask_again(self, menu: Any, number: int) -> bool:
        """Press the item of a menu with the stand-in selected; False where not just a map is selected."""
        node, selection = self._edited, singleton("EditorInterface").get_selection()
        if node is None or not is_valid(node) or list(selection.get_selected_nodes()) != [node]:
            return False
        stand_in = _stand_in(node)
        if stand_in is None:
            return False
        self._is_asking = True
        try:
            selection.clear()
            selection.add_node(stand_in)
            menu.emit_signal("id_pressed", number)
        finally:
            selection.clear()
            selection.add_node(node)
            self._is_asking = False
            stand_in.queue_free()
        return True


def _shortcut(name: str) -> Any:
    return singleton("EditorInterface").get_editor_settings().get_shortcut(name)


def _stand_in(node: Any) -> Any:
    """A node beside the edited scene, where a map is; None for one without tiles."""
    content = node._editor_content()
    if content is None:
        return None
    plane, (rows, columns) = node._make_plane(content), content.cost.shape
    corners = [plane.to_local(*corner) for corner in ((0, 0), (columns, 0), (columns, rows), (0, rows))]
    if isinstance(node, FlowFieldMap3D):
        x, y = np.mean(corners, axis=0).tolist()
        stand_in = engine.Node3D()
        node.get_viewport().add_child(stand_in)
        stand_in.global_position = node.to_global(Vector3(x, plane.elevation, y))
        return stand_in
    places = np.array([tuple(node.to_global(Vector2(*corner))) for corner in corners])
    low, high = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    stand_in = engine.Control()
    node.get_viewport().add_child(stand_in)
    stand_in.position, stand_in.size = Vector2(*low), Vector2(high[0] - low[0], high[1] - low[1])
    return stand_in
