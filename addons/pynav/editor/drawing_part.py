"""The part of the editor plugin that draws what the solver sees: toolbar, gizmos, marks to drag."""

from __future__ import annotations

import math
from typing import Any

from addons.pynav.bridge import Color, Vector2, engine, is_valid, on_frame, remove_on_frame, singleton
from addons.pynav.nodes import FlowFieldMap2D, FlowFieldMap3D
from addons.pynav.nodes.debug_drawing import DrawnMap, drawn_maps
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from addons.pynav.nodes.debug_drawing.views import canvas_to_local
from pynav.drawing.roles import Role
from pynav.drawing.view import Layer

from . import drawing_settings
from .drawing_toolbar import DrawingToolbar
from .editor_part import EditorPart
from .kept_marks import keep_marks, keep_marks_of_scene, recall_marks
from .map_gizmos import PynavMapGizmos
from .map_handles import NAMES, START, drawn_of, handles_of, labels_in_space, move_handle, on_screen

_LETTERS = 13  # pixels
_REACH = 14.0  # pixels from a mark at which it is grabbed


class DrawingPart(EditorPart):
    """Draws over all maps of the edited scene; the marks are dragged on the one that is selected."""

    def enter(self) -> None:
        """Add toolbars and gizmos."""
        drawing_settings.declare()
        drawing_settings.load_colours()
        drawing_settings.load_layers()
        IN_EDITOR.is_switched_on = True
        IN_EDITOR.recall = recall_marks
        IN_EDITOR.listeners.append(self.plugin.update_overlays)
        self._edited: Any = None
        self._dragged: int | None = None
        self._near: int | None = None
        self._toolbars = [DrawingToolbar(self._switched), DrawingToolbar(self._switched)]
        containers = (self.plugin.CONTAINER_CANVAS_EDITOR_MENU, self.plugin.CONTAINER_SPATIAL_EDITOR_MENU)
        self._containers = list(zip(containers, self._toolbars, strict=True))
        for container, toolbar in self._containers:
            self.plugin.add_control_to_container(container, toolbar.button)
        self._gizmos = PynavMapGizmos()
        self.plugin.add_node_3d_gizmo_plugin(self._gizmos)
        singleton("EditorInterface").get_editor_settings().connect("settings_changed", self._settings_changed)
        self.plugin.connect("scene_saved", keep_marks_of_scene)
        on_frame(self._frame)
        for drawn in drawn_maps():  # they may draw tiles themselves as long as the tools don't
            drawn.node._show_in_editor()

    def leave(self) -> None:
        """Take them out again, and draw nothing more."""
        remove_on_frame(self._frame)
        self.plugin.disconnect("scene_saved", keep_marks_of_scene)
        settings = singleton("EditorInterface").get_editor_settings()
        if settings.is_connected("settings_changed", self._settings_changed):
            settings.disconnect("settings_changed", self._settings_changed)
        IN_EDITOR.layers, IN_EDITOR.is_switched_on = Layer(0), False
        IN_EDITOR.listeners.clear()
        IN_EDITOR.recall = lambda drawn: None
        for drawn in drawn_maps():
            drawn.frame()
            drawn.node._show_in_editor()
        self.plugin.remove_node_3d_gizmo_plugin(self._gizmos)
        for container, toolbar in self._containers:
            self.plugin.remove_control_from_container(container, toolbar.button)
            toolbar.free()
        self._edited = None

    def _switched(self) -> None:
        """The user switched a layer."""
        drawing_settings.save_layers()
        for toolbar in self._toolbars:
            toolbar.refresh()
        self._redraw()

    def _settings_changed(self) -> None:
        drawing_settings.load_colours()

    def _frame(self) -> None:
        progress = min((drawn.progress for drawn in drawn_maps()), default=1.0)
        for toolbar in self._toolbars:
            toolbar.show_progress(progress)

    def _redraw(self) -> None:
        self.plugin.update_overlays()
        for drawn in drawn_maps():
            if drawn.is_space:
                drawn.node.update_gizmos()
            else:
                drawn.node.queue_redraw()

    def handles(self, edited: Any) -> bool:
        """Maps alone have marks to drag."""
        return isinstance(edited, (FlowFieldMap2D, FlowFieldMap3D))

    def edit(self, edited: Any | None) -> None:
        """Another map was selected."""
        self._edited, self._dragged, self._near = edited, None, None
        self.plugin.update_overlays()

    # --- the 2D view

    def _canvas_map(self) -> DrawnMap | None:
        node = self._edited
        return drawn_of(node) if isinstance(node, FlowFieldMap2D) and is_valid(node) and node.is_inside_tree() else None

    def _handle_at(self, drawn: DrawnMap, pixel: Vector2) -> int | None:
        transform = canvas_to_local(drawn.node)
        best, found = _REACH, None
        for number, tile in handles_of(drawn):
            away = math.dist(on_screen(drawn.plane(), transform, tile), pixel)
            if away < best:
                best, found = away, number
        return found

    def canvas_input(self, event: Any) -> bool:
        """Grab, drag and drop marks."""
        drawn = self._canvas_map()
        if drawn is None:
            return False
        if isinstance(event, engine.InputEventMouseButton) and event.button_index == engine.MOUSE_BUTTON_LEFT:
            was_dragged, self._dragged = self._dragged, self._handle_at(drawn, event.position) if event.pressed else None
            if was_dragged is not None:
                keep_marks(drawn)
            return self._dragged is not None or was_dragged is not None
        if not isinstance(event, engine.InputEventMouseMotion):
            return False
        if self._dragged is None:
            near = self._handle_at(drawn, event.position)
            if near != self._near:
                self._near = near
                self.plugin.update_overlays()
            return False
        local = canvas_to_local(drawn.node).inverse().apply(event.position)
        if move_handle(drawn, self._dragged, drawn.plane().to_tile(local.x, local.y)):
            self.plugin.update_overlays()
        return True

    def draw_over_space(self, overlay: Any) -> None:
        """The labels of the selected map, upright over the 3D view; those near the middle of what is looked at."""
        node = self._edited
        drawn = drawn_of(node) if isinstance(node, FlowFieldMap3D) and is_valid(node) and node.is_inside_tree() else None
        viewport = singleton("EditorInterface").get_editor_viewport_3d(0)
        if drawn is None or overlay.size != Vector2(*viewport.size):
            return
        font = singleton("ThemeDB").fallback_font
        ink, ground = (Color(*(IN_EDITOR.palette[role] / 255).tolist()) for role in (Role.LABEL, Role.LABEL_GROUND))
        for place, text in labels_in_space(drawn, viewport.get_camera_3d(), overlay.size):
            at = place - Vector2(font.get_string_size(text, 0, -1, _LETTERS).x / 2, -_LETTERS / 3)
            overlay.draw_string_outline(font, at, text, 0, -1, _LETTERS, 6, ground)
            overlay.draw_string(font, at, text, 0, -1, _LETTERS, ink)

    def draw_over_canvas(self, overlay: Any) -> None:
        """Rings around the marks, so that they can be grabbed at any zoom; the name of the one that the mouse is on."""
        drawn = self._canvas_map()
        if drawn is None:
            return
        transform = canvas_to_local(drawn.node)
        for number, tile in handles_of(drawn):
            role = Role.START if number == START else Role.GOAL
            colour = Color(*(IN_EDITOR.palette[role] / 255).tolist())
            place = on_screen(drawn.plane(), transform, tile)
            overlay.draw_circle(place, 9.0, Color(0.05, 0.06, 0.09, 0.75))
            overlay.draw_circle(place, 7.0, colour)
            overlay.draw_circle(place, 2.5, Color(1.0, 1.0, 1.0))
            if number in (self._near, self._dragged):
                font = singleton("ThemeDB").fallback_font
                at = place + Vector2(14.0, 5.0)
                overlay.draw_string_outline(font, at, NAMES[number], 0, -1, 14, 6, Color(0.05, 0.06, 0.09, 0.9))
                overlay.draw_string(font, at, NAMES[number], 0, -1, 14)
