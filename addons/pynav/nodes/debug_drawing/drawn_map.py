"""The drawing of a map node: of its world in the running game, of what its source gives in the editor."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import is_editor, singleton
from pynav.drawing import MapDrawing
from pynav.drawing.view import Layer, View
from pynav.grid import TileGrid
from pynav.kernels import KernelError

from .. import project_settings
from ..telling import tell
from .background_reading import grid_of
from .canvas_renderer import CanvasRenderer
from .drawn_node import DrawnNode, drawn_nodes
from .look import IN_EDITOR, Look
from .renderer import Palette
from .space_renderer import SpaceRenderer
from .views import canvas_view, space_view

_LARGE_EDIT_TILES = 90_000  # beyond it sectors are built anew, in steps, instead of at once
_LEAST_TILES = 8  # a view that shows less of a map, each way, shows next to nothing of it
_CACHE_EVERY = 15  # frames from one look at the caches of the running game to the next

Tile = tuple[int, int]


class DrawnMap(DrawnNode):
    """The drawing of a FlowFieldMap2D or FlowFieldMap3D.

    Attributes:
        look: what is drawn; the editor's maps share one.
        probe: the tile that the drawn flow leads to; None: not placed yet.
        ends: the tiles that the test unit goes from and to.
    """

    def __init__(self, node: Any) -> None:
        self.is_in_editor = is_editor()
        self.look = IN_EDITOR if self.is_in_editor else Look()
        self.probe: Tile | None = None
        self.ends: tuple[Tile | None, Tile | None] = (None, None)
        self.drawing: MapDrawing | None = None
        self._plane: Any = None
        self._view: View | None = None
        self._is_source_due = True
        self._colours = -1
        self._frames = 0
        self._is_reading = False
        self._are_marks_recalled = False
        self.is_space = bool(node.is_class("Node3D"))
        renderer: Any = CanvasRenderer(node)
        if self.is_space:
            renderer = SpaceRenderer(node, node._drawn_heights, node._is_drawn_flat)
            renderer.is_for_gizmo = self.is_in_editor
        super().__init__(node, renderer)

    # --- what the node says

    def note_source(self) -> None:
        """In the editor: what the node's source gives may have changed."""
        self._is_source_due = True

    def note_edit(self, x: int, y: int, columns: int, rows: int) -> None:
        """In the running game: costs changed in a rectangle of tiles."""
        if self.drawing is not None:
            self.drawing.note_edit(x, y, columns, rows)

    def draw_again(self) -> None:
        """The ground changed its shape: all that lies on it is drawn anew."""
        if self.drawing is not None:
            self.drawing.draw_again()

    @property
    def progress(self) -> float:
        """How much of the sectors is built, 0 to 1; 1 where nothing is drawn."""
        return 1.0 if self.drawing is None else self.drawing.progress

    def grid(self) -> TileGrid:
        """The tiles that are drawn; only while something is."""
        assert self.drawing is not None
        return self.drawing.grid

    def _take_grid(self) -> TileGrid | None:
        """The grid to draw, made or brought up to date."""
        if not self.is_in_editor:
            world = self.node._world_or_none()
            if world is None or world.grid is None:
                return None
            self._plane = self.node._plane
            return world.grid  # type: ignore[no-any-return]
        if not self._is_source_due:
            return None if self.drawing is None else self.drawing.grid
        content = self.node._editor_content()
        was_reading, self._is_source_due = self._is_reading, self.node._is_reading
        self._is_reading = self._is_source_due
        if self._is_reading:  # what there was stays until then
            return None if self.drawing is None else self.drawing.grid
        if was_reading:
            self.node._show_in_editor()
            self._is_source_due = False
        if content is None:
            return None
        self._plane = self.node._make_plane(content)
        old = self.drawing
        if old is None or old.grid.cost.shape != content.cost.shape:
            return grid_of(content.cost)
        differs = content.cost != old.grid.cost
        rows = np.flatnonzero(differs.any(axis=1))
        if len(rows):
            columns = np.flatnonzero(differs.any(axis=0))
            top, left, low, right = int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1
            if (low - top) * (right - left) > _LARGE_EDIT_TILES:
                return grid_of(content.cost)
            old.grid.set_cost_rect(left, top, content.cost[top:low, left:right])
            old.note_edit(left, top, right - left, low - top)
        return old.grid

    def _ask_again(self) -> None:
        """Where no layer is drawn: the node shows a large map by itself once it is made."""
        if self.is_in_editor and self.node._is_reading:
            self.node._editor_content()
            if not self.node._is_reading:
                self.node._show_in_editor()

    # --- DrawnNode

    def sketch(self) -> MapDrawing | None:
        """What to draw, up to date with the node and the look."""
        if not self.look.layers:
            if self.drawing is not None:
                self._forget()
            self._ask_again()
            return None
        grid = self._take_grid()
        if grid is None:
            if self.drawing is not None:
                self._forget()
            return None
        if self.drawing is None or self.drawing.grid is not grid:
            self._forget()
            self._use_kernels()
            self.drawing = MapDrawing(grid)
            self.drawing.cache_counts = self._kept_directions
        drawing = self.drawing
        if self._colours != self.look.serial:
            self._colours = self.look.serial
            drawing.draw_again()
        drawing.layers, drawing.unit_size = self.look.layers, self.look.unit_size
        self._place_handles(grid)
        drawing.set_probe(self.probe)
        drawing.set_path(*self.ends)
        return drawing

    def _use_kernels(self) -> None:
        """A stale library is told once, in words; then nothing is drawn until the layers change."""
        try:
            project_settings.use_library()
        except KernelError as error:
            self.look.layers = Layer(0)
            tell(self.node, error)

    def _forget(self) -> None:
        self.renderer.clear()
        self.drawing = None
        self._is_source_due = True
        self.changed()

    def _kept_directions(self) -> npt.NDArray[np.int32] | None:
        """int32 (sectors,): for how many goals of crowds a sector has directions; None in the editor."""
        world, drawing = (None if self.is_in_editor else self.node._world), self.drawing
        if world is None or drawing is None or drawing.sectors is None:
            return None
        kept = world.kept_directions()
        found = np.zeros((drawing.sectors.row_count, drawing.sectors.column_count), dtype=np.int32)
        found[: kept.shape[0], : kept.shape[1]] = kept
        return found.reshape(-1)

    def _place_handles(self, grid: TileGrid) -> None:
        """Probes that nobody has placed begin in the middle of what is in view."""
        view = self._view
        if view is None:
            return
        if self.is_in_editor and not self._are_marks_recalled:
            self._are_marks_recalled = True
            self.look.recall(self)
        if self.probe is not None and not grid.contains(*self.probe):  # the map has become smaller
            self.probe = None
        if any(tile is not None and not grid.contains(*tile) for tile in self.ends):
            self.ends = (None, None)
        if self.probe is None and self.look.layers & Layer.FLOW:
            self.probe = _free_tile(grid, view, 0.5, 0.5)
        if self.ends[0] is None and self.look.layers & Layer.PATH:
            self.ends = _free_tile(grid, view, 0.25, 0.7), _free_tile(grid, view, 0.75, 0.3)

    def plane(self) -> Any:
        """Where tiles lie in the node's space."""
        return self._plane

    def view(self) -> View | None:
        """What is in view of the viewport that shows the node; in the editor of its 3D view or 2D view."""
        if not self.node.is_inside_tree() or not self.node.is_visible_in_tree():
            return self._view
        if not self.is_space:
            self._view = canvas_view(self.node, self._plane)
            return self._view
        viewport = singleton("EditorInterface").get_editor_viewport_3d(0) if self.is_in_editor else self.node.get_viewport()
        camera = viewport.get_camera_3d()
        if camera is not None:
            self._view = space_view(self.node, self._plane, camera, tuple(viewport.get_visible_rect().size))
        return self._view

    def palette(self) -> Palette:
        """Colours by role."""
        return self.look.palette

    def frame(self, seconds: float = 0.003) -> None:
        """Draw on for about that long."""
        super().frame(seconds)
        if self.is_in_editor:
            return
        if isinstance(self.renderer, SpaceRenderer):
            self.renderer.follow()
        self._frames += 1
        if self.drawing is not None and self._frames % _CACHE_EVERY == 0:
            self.drawing.refresh_cache()

    def changed(self) -> None:
        """In the 3D editor a gizmo shows what there is."""
        if self.is_space and self.is_in_editor and self.node.is_inside_tree():
            self.node.update_gizmos()
        for listener in self.look.listeners:
            listener()


def _free_tile(grid: TileGrid, view: View, part_x: float, part_y: float) -> Tile | None:
    """The free tile nearest to a place in the part of the map that is in view; in the whole map where that is next to nothing."""
    left, right = max(view.left, 0.0), min(view.right, float(grid.width))
    top, bottom = max(view.top, 0.0), min(view.bottom, float(grid.height))
    if min(right - left, bottom - top) < _LEAST_TILES:
        left, right, top, bottom = 0.0, float(grid.width), 0.0, float(grid.height)
    return grid.nearest_free(int(left + (right - left) * part_x), int(top + (bottom - top) * part_y))


def drawn_maps() -> list[DrawnMap]:
    """The drawings of all map nodes in the tree."""
    return [drawn for drawn in drawn_nodes() if isinstance(drawn, DrawnMap)]
