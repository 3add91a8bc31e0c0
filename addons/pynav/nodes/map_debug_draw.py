"""What a map node shows of its solver: the properties for the running game, and what the drawing asks of the node."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, ClassVar

from addons.pynav.bridge import GodotObject, Vector2i, export, is_editor, method
from pynav.drawing.view import Layer

from . import live_warnings
from .debug_drawing import DrawnMap
from .debug_drawing.background_reading import LARGE_MAP_TILES, generated
from .telling import USER_ERRORS, NodeError, told

READING_SECONDS = 0.03  # of a source in the editor, a frame
_LAYERS = ",".join(f"{layer.name.capitalize()}:{layer.value}" for layer in Layer if layer.name)


class MapDebugDraw(GodotObject, register=False):
    """Properties and methods of a map node that concern its drawing."""

    debug_draw: int = export(
        0,
        "What of the solver is drawn over the map in the running game: blocked and dear tiles, borders of sectors, islands "
        "(hue: what is connected), portals, the portal graph with its costs, clearance for debug_unit_size, the flow towards a "
        "probe (set_debug_probe()), the way of a test unit (set_debug_path()), sectors with fields in the cache, and what the "
        "last edit rebuilt. In the editor the toolbar above the view says what is drawn.",
        flags=_LAYERS,
        group="Debug",
        changed="_debug_changed",
    )
    debug_unit_size: int = export(
        2,
        "Size of the unit whose clearance is drawn: it covers so many tiles a side.",
        range=(1, 5),
        unit="tiles",
        group="Debug",
        changed="_debug_changed",
    )

    _source_problem: Any
    _reading_steps: Any
    _need_grid: Any
    _generated_content: Any
    _source_serial: int
    size: Any
    cost_source: Any
    generator_kind: Any
    generator_seed: Any
    GENERATOR: ClassVar[int]
    GeneratorKind: ClassVar[Any]

    def __init__(self) -> None:
        super().__init__()
        self._drawn: DrawnMap | None = None
        self._is_reading = False
        self._reading: tuple[int, Generator[float, None, Any]] | None = None
        self._read: tuple[int, Any] | None = None  # what the source gave last in the editor, and as of which change of it
        self._read_problem = ""  # what was wrong when the editor read the source last

    def _enter_tree(self) -> None:
        super()._enter_tree()  # type: ignore[misc]
        if is_editor():
            self._drawn = DrawnMap(self)
            live_warnings.watch(self)
        else:
            self._debug_changed()

    def _exit_tree(self) -> None:
        super()._exit_tree()  # type: ignore[misc]
        if is_editor():
            live_warnings.forget(self)
        if self._drawn is not None:
            self._drawn.close()
            self._drawn = None

    def _debug_changed(self) -> None:
        """The properties count in the running game only; nothing is made before something is to be drawn."""
        if is_editor() or not self.is_inside_tree():
            return
        if self._drawn is None and self.debug_draw:
            self._drawn = DrawnMap(self)
        if self._drawn is not None:
            self._drawn.look.layers = Layer(self.debug_draw & sum(Layer))
            self._drawn.look.unit_size = self.debug_unit_size

    def _editor_content(self) -> Any:
        """What the source gives now (MapContent), in the editor; None where a warning says what is wrong with it, and while a
        large map is generated in the background or read in steps (then `_is_reading`: ask again in the next frame).
        """
        self._is_reading, self._read_problem = False, ""
        if self._read is not None and self._read[0] == self._source_serial:
            return self._read[1]
        try:
            if self._source_problem():
                return None
            content = self._generated_behind() if self._is_large_generated() else self._read_on()
        except USER_ERRORS as error:
            self._read_problem = f"The costs can't be read: {error}."
            return None
        self._read = None if content is None else (self._source_serial, content)
        return content

    def _read_on(self) -> Any:
        """What the source gives, read for some milliseconds a call; None, and `_is_reading`, as long as it isn't done."""
        if self._reading is None or self._reading[0] != self._source_serial:
            self._reading = (self._source_serial, self._reading_steps())
        serial, steps = self._reading
        self._reading = None  # nor if it fails
        end = time.perf_counter() + READING_SECONDS
        try:
            while time.perf_counter() < end:
                next(steps)
        except StopIteration as done:
            return done.value
        self._reading, self._is_reading = (serial, steps), True
        return None

    def _is_large_generated(self) -> bool:
        """Whether the costs are generated and take so long that the editor's main thread must not do it."""
        columns, rows = self.size
        return columns * rows >= LARGE_MAP_TILES and int(self.cost_source) == self.GENERATOR

    def _generated_behind(self) -> Any:
        """What is generated in the background; None, and `_is_reading`, as long as it isn't done."""
        columns, rows = self.size
        made = generated((self.GeneratorKind(self.generator_kind).name.lower(), columns, rows, self.generator_seed))
        self._is_reading = made is None
        return None if made is None else self._generated_content(made)

    @method
    @told
    def set_debug_probe(self, tile: Vector2i) -> None:
        """The tile that the flow drawn by debug_draw leads to; without it one in the middle of the view."""
        self._drawn_on(tile).probe = (tile.x, tile.y)

    @method
    @told
    def set_debug_path(self, start: Vector2i, goal: Vector2i) -> None:
        """The tiles between which debug_draw shows a test unit's way; without it two that are in view."""
        self._drawn_on(start, goal).ends = ((start.x, start.y), (goal.x, goal.y))

    def _drawn_on(self, *tiles: Vector2i) -> DrawnMap:
        """The drawing, for tiles that lie in the map."""
        grid = self._need_grid()
        for tile in tiles:
            if not grid.contains(tile.x, tile.y):
                raise NodeError(f"expected a tile of the map, {grid.width} x {grid.height}, got ({tile.x}, {tile.y})")
        if self._drawn is None:
            raise NodeError("nothing is drawn: add the map to the tree and set debug_draw first")
        return self._drawn
