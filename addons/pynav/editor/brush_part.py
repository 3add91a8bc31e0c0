"""The part of the editor plugin with which a user paints the costs of tiles on the map itself, in the 2D and the 3D view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from addons.pynav.bridge import Color, PackedVector2Array, Vector2, Vector3, engine, is_valid, singleton
from addons.pynav.nodes import FlowFieldMap2D, FlowFieldMap3D
from addons.pynav.nodes.baked_map import baked
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from addons.pynav.nodes.debug_drawing.views import canvas_to_local, point_on_ground
from addons.pynav.nodes.ground import heights_on
from pynav.drawing.view import Layer

from .brush_toolbar import BrushToolbar, Tool
from .editor_part import EditorPart
from .stroke import Rect, Stroke, Tile, outline_of, rect_between, square_at

_PASS, _STOP = 0, 1
_DARK, _PAINT, _ERASE = Color(0.05, 0.06, 0.09, 0.9), Color(1.0, 0.78, 0.25), Color(0.55, 0.9, 1.0)


@dataclass
class Brush:
    """What the user paints with."""

    tool: Tool = Tool.NONE
    cost: int = 0
    size: int = 1


class BrushPart(EditorPart):
    """Brush, eraser and rectangle for the map that is selected."""

    def enter(self) -> None:
        """Add the buttons; they are seen while a map is selected."""
        self.brush = Brush()
        self._map: Any = None
        self._plane: Any = None
        self._camera: Any = None
        self._stroke: Stroke | None = None
        self._made: Any = None  # the resource that this stroke made
        self._is_erasing = False
        self._start: Tile | None = None
        self._tile: Tile | None = None
        self._toolbars = [BrushToolbar(self.brush, self._brush_changed), BrushToolbar(self.brush, self._brush_changed)]
        containers = (self.plugin.CONTAINER_CANVAS_EDITOR_MENU, self.plugin.CONTAINER_SPATIAL_EDITOR_MENU)
        self._containers = list(zip(containers, self._toolbars, strict=True))
        for container, toolbar in self._containers:
            self.plugin.add_control_to_container(container, toolbar.box)

    def leave(self) -> None:
        """Take them out again; a stroke that is under way is undone."""
        self._cancel()
        for container, toolbar in self._containers:
            self.plugin.remove_control_from_container(container, toolbar.box)
            toolbar.free()
        self._map = self._camera = None

    def handles(self, edited: Any) -> bool:
        """Maps are painted."""
        return isinstance(edited, (FlowFieldMap2D, FlowFieldMap3D))

    def edit(self, edited: Any | None) -> None:
        """Another map was selected."""
        if edited != self._map:
            self._cancel()
            self.brush.tool = Tool.NONE
        self._map = edited
        self._toolbars[0].box.visible = isinstance(edited, FlowFieldMap2D)
        self._toolbars[1].box.visible = isinstance(edited, FlowFieldMap3D)
        self._brush_changed()

    def _brush_changed(self) -> None:
        for toolbar in self._toolbars:
            toolbar.refresh()
        if self.brush.tool is not Tool.NONE and not IN_EDITOR.layers & Layer.TILES:
            IN_EDITOR.layers |= Layer.TILES  # or what is painted is not seen
        self.plugin.update_overlays()

    # --- the mouse

    def _is_armed(self) -> bool:
        return self.brush.tool is not Tool.NONE and self._map is not None and is_valid(self._map) and self._map.is_inside_tree()

    def canvas_input(self, event: Any) -> bool:
        """Paint in the 2D view."""
        if not self._is_armed() or not isinstance(self._map, FlowFieldMap2D):
            return False
        place = None
        if isinstance(event, engine.InputEventMouse) and self._find_plane():
            local = canvas_to_local(self._map).inverse().apply(event.position)
            place = self._plane.to_tile(local.x, local.y)
        return self._handle(event, place)

    def space_input(self, camera: Any, event: Any) -> int:
        """Paint in the 3D view."""
        if not self._is_armed() or not isinstance(self._map, FlowFieldMap3D):
            return _PASS
        self._camera = camera
        place = None
        if isinstance(event, engine.InputEventMouse) and self._find_plane():
            place = point_on_ground(self._map, self._plane, camera, event.position)
        return _STOP if self._handle(event, place) else _PASS

    def _find_plane(self) -> bool:
        """Know where the tiles lie; not where a warning says that there are none."""
        if self._stroke is None:
            content = self._map._editor_content()
            self._plane = None if content is None else self._map._make_plane(content)
        return self._plane is not None

    def _handle(self, event: Any, place: tuple[float, float] | None) -> bool:
        if isinstance(event, engine.InputEventKey) and event.pressed and event.keycode == engine.KEY_ESCAPE:
            self._cancel()
            self.brush.tool = Tool.NONE
            self._brush_changed()
            return True
        if place is None:
            return False
        tile = int(place[0] // 1), int(place[1] // 1)
        if isinstance(event, engine.InputEventMouseButton):
            return self._button(int(event.button_index), bool(event.pressed), tile)
        if tile != self._tile:
            before, self._tile = self._tile, tile
            if self._stroke is not None and self.brush.tool is not Tool.RECTANGLE:
                self._stroke.drag(before or tile, tile, self.brush.size)
            self.plugin.update_overlays()
        return self._stroke is not None

    def _button(self, index: int, pressed: bool, tile: Tile) -> bool:
        if index not in (engine.MOUSE_BUTTON_LEFT, engine.MOUSE_BUTTON_RIGHT):
            return False
        if pressed and self._stroke is None:
            self._is_erasing = index == engine.MOUSE_BUTTON_RIGHT or self.brush.tool is Tool.ERASE
            self._start = self._tile = tile
            self._begin()
            if self._stroke is not None and self.brush.tool is not Tool.RECTANGLE:
                self._stroke.drag(tile, tile, self.brush.size)
        elif not pressed and self._stroke is not None:
            if self.brush.tool is Tool.RECTANGLE and self._start is not None:
                self._stroke.fill(rect_between(self._start, tile))
            self._finish()
        self.plugin.update_overlays()
        return True

    # --- a stroke

    def _begin(self) -> None:
        """Begin to paint; a map whose costs come from code gets a baked map of its own first."""
        node, source = self._map, int(self._map.cost_source)
        if source not in (node.CODE, node.BAKED):
            name = node.CostSource(source).name.capitalize().replace("_", " ")
            self._say(f"The costs of '{node.name}' come from elsewhere ({name}): press Bake in the inspector, then paint.")
            return
        if source == node.CODE or node.baked_map is None:
            content = node._editor_content()
            if content is None:
                return
            self._made = baked(content.cost)
        self._stroke = Stroke(self._made or node.baked_map, self._painted_cost())
        if self._made is not None:
            node.baked_map, node.cost_source = self._made, node.BAKED

    def _painted_cost(self) -> int:
        return max(1, min(int(self._map.fill_cost), 255)) if self._is_erasing else self.brush.cost

    def _finish(self) -> None:
        stroke, made, node = self._stroke, self._made, self._map
        self._stroke = self._made = None
        assert stroke is not None
        changes = stroke.changes()
        if changes is None:
            if made is not None:
                node.cost_source, node.baked_map = node.CODE, None
            return
        rect, before, after = changes
        what = "Erase" if self._is_erasing else "Paint"
        undo = self.plugin.get_undo_redo()
        undo.create_action(f"{what} Tiles of {node.name}", 0, node)
        if made is not None:
            for name, now, then in (("baked_map", made, None), ("cost_source", node.BAKED, node.CODE)):
                undo.add_do_property(node, name, now)
                undo.add_undo_property(node, name, then)
            undo.add_do_reference(made)
        undo.add_do_method(stroke.baked, "set_costs", after, rect)
        undo.add_undo_method(stroke.baked, "set_costs", before, rect)
        undo.commit_action(False)

    def _cancel(self) -> None:
        stroke, made, node = self._stroke, self._made, self._map
        self._stroke = self._made = None
        if stroke is not None:
            stroke.cancel()
            if made is not None and is_valid(node):
                node.cost_source, node.baked_map = node.CODE, None

    def _say(self, text: str) -> None:
        toaster = singleton("EditorInterface").get_editor_toaster()
        toaster.push_toast(text, toaster.SEVERITY_WARNING)

    # --- what is seen of it

    def draw_over_canvas(self, overlay: Any) -> None:
        """The tiles under the brush."""
        if self._is_armed() and isinstance(self._map, FlowFieldMap2D) and self._plane is not None:
            transform = canvas_to_local(self._map)
            self._draw(overlay, lambda x, y: transform.apply(self._plane.to_local(x, y)))

    def draw_over_space(self, overlay: Any) -> None:
        """The tiles under the brush, on the ground."""
        if not self._is_armed() or not isinstance(self._map, FlowFieldMap3D) or self._plane is None or not is_valid(self._camera):
            return
        transform, ground = self._map.global_transform, self._map._read_ground()

        def pixel(x: float, y: float) -> Any:
            local = self._plane.to_local(x, y)
            height = heights_on(ground, self._plane.elevation, np.array([(x, y)], dtype=np.float32))[0]
            place = transform.apply(Vector3(local[0], float(height), local[1]))
            return None if self._camera.is_position_behind(place) else self._camera.unproject_position(place)

        self._draw(overlay, pixel, is_flat=ground is None)

    def _draw(self, overlay: Any, pixel: Any, is_flat: bool = True) -> None:
        if self._tile is None:
            return
        rect = self._marked(self._tile)
        corners = [pixel(*place) for place in outline_of(rect, is_flat)]
        if any(corner is None for corner in corners):
            return
        erasing = self._is_erasing if self._stroke is not None else self.brush.tool is Tool.ERASE
        colour = _ERASE if erasing else _PAINT
        outline = PackedVector2Array([(float(c[0]), float(c[1])) for c in corners])
        if is_flat:  # on a hill the outline may cross itself as it is seen
            overlay.draw_colored_polygon(PackedVector2Array(outline.view()[:4].copy()), Color(colour.r, colour.g, colour.b, 0.25))
        overlay.draw_polyline(outline, _DARK, 4.0)
        overlay.draw_polyline(outline, colour, 2.0)
        cost = "ground" if erasing else "wall" if self.brush.cost == 0 else f"cost {self.brush.cost}"
        sides = f"   {rect[2]} x {rect[3]}" if rect[2] * rect[3] > 1 else ""
        text = f"{cost}   ({self._tile[0]}, {self._tile[1]}){sides}"
        at = Vector2(max(float(c[0]) for c in corners) + 10.0, max(float(c[1]) for c in corners) + 4.0)
        font = singleton("ThemeDB").fallback_font
        overlay.draw_string_outline(font, at, text, 0, -1, 14, 6, _DARK)
        overlay.draw_string(font, at, text, 0, -1, 14, colour)

    def _marked(self, tile: Tile) -> Rect:
        """The tiles that a click would paint."""
        if self.brush.tool is Tool.RECTANGLE:
            return rect_between(self._start if self._stroke is not None and self._start is not None else tile, tile)
        return square_at(tile, self.brush.size)
