"""The drawing of a map: which pieces are in view, and which of them an edit, a dragged handle or a pan makes due."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from pynav.drawing import chunk_shapes
from pynav.drawing.island_colours import IslandColours
from pynav.drawing.piece import Piece
from pynav.drawing.portal_shapes import PortalLists
from pynav.drawing.probe_shapes import FlowProbe, PathProbe
from pynav.drawing.sketch import Change
from pynav.drawing.view import (
    DRAWING_ORDER,
    MOST_LINES,
    Chunk,
    Key,
    Layer,
    View,
    chunks_in,
    chunks_with,
    level_of,
)
from pynav.grid import GridError, TileGrid
from pynav.grid.clearance import LARGEST_SIZE
from pynav.portals import SectorMap
from pynav.portals.sector_layout import DEFAULT_SIZE

Tile = tuple[int, int]
Rect = tuple[int, int, int, int]  # x, y, width, height
_TILE_BY_TILE = (Layer.TILES, Layer.CLEARANCE)  # of which an edit changes the tiles around it alone
_BY_SECTOR = (Layer.ISLANDS, Layer.PORTALS, Layer.GRAPH)  # of which it changes the chunks of changed sectors
_SECTORS_PER_STEP = 256  # of a build: some milliseconds


class MapDrawing:
    """What the portal solver sees of a map, in pieces.

    Args:
        grid: the tiles; they are read, never changed. Call ``note_edit`` after each edit of them.
        size: tiles a side of a sector.

    Attributes:
        cache_counts: asked for int32 (sectors,), how many fields somebody keeps for each sector, beside the probes' own.

    Notes:
        Nothing is done but in ``advance``: building the sectors (in steps), taking over edits, and describing pieces, those in
        the middle of the view first. What leads to the probes is searched for in the background; what was shown of it stays
        until then. What is described depends on the map, the layers, the view and the probes alone; in how many calls it comes
        depends on the clock.
    """

    def __init__(self, grid: TileGrid, size: int = DEFAULT_SIZE) -> None:
        self.grid = grid
        self.cache_counts: Callable[[], npt.NDArray[np.int32] | None] = lambda: None
        self._size = size
        self._layers = Layer(0)
        self._unit_size = 2
        self._flow_goal: Tile | None = None
        self._path_ends: tuple[Tile | None, Tile | None] = (None, None)
        self._view: View | None = None
        self._level = 0
        self._shown: dict[Key, Piece] = {}
        self._line_count = 0
        self._due: dict[Key, None] = {}
        self._waits_for: list[FlowProbe | PathProbe] = []  # whose searches all that is due waits for
        self._edits: list[Rect] = []
        self._removed: list[Key] = []
        self._kept: npt.NDArray[np.int32] | None = None  # what the cache's pieces show
        self._is_kept_due = False
        self._patches: dict[Key, Rect] = {}  # of pieces that are due: the tiles alone that may look different
        self._usual_cost = grid.usual_cost
        self._last_edit: tuple[Rect, npt.NDArray[np.int32], npt.NDArray[np.int32]] | None = None
        self._begin_build()

    def _begin_build(self) -> None:
        self._sectors = SectorMap(self.grid, self._size, is_built=False)
        self._building: Iterator[float] | None = None
        self._is_built = False
        self._built_revision = -1
        self.progress = 0.0
        self._flow: FlowProbe | None = None
        self._path: PathProbe | None = None
        self._lists = PortalLists(self._sectors)
        self._colours = IslandColours(self._sectors)

    # --- what to show

    @property
    def sectors(self) -> SectorMap | None:
        """The sectors, once they are built."""
        return self._sectors if self._is_built else None

    @property
    def layers(self) -> Layer:
        """What is drawn."""
        return self._layers

    @layers.setter
    def layers(self, layers: Layer) -> None:
        if layers != self._layers:
            self._layers = Layer(layers)
            self._plan()

    @property
    def unit_size(self) -> int:
        """Tiles a side of the unit whose clearance is drawn, 1 to 5."""
        return self._unit_size

    @unit_size.setter
    def unit_size(self, size: int) -> None:
        if not 1 <= size <= LARGEST_SIZE:
            raise GridError(f"expected a unit size of 1 to {LARGEST_SIZE} tiles, got {size}")
        if size != self._unit_size:
            self._unit_size = size
            self._describe_again(Layer.CLEARANCE)

    @property
    def level(self) -> int:
        """The level of detail that the view has."""
        return self._level

    @property
    def line_count(self) -> int:
        """Lines, bars and arrows that are shown."""
        return self._line_count

    @property
    def is_busy(self) -> bool:
        """Whether something is still due."""
        is_due = not self._is_built or bool(self._edits) or bool(self._due)
        is_due = is_due or (self._is_kept_due and Layer.CACHE in self._layers)
        return bool(self._removed) or (bool(self._layers) and self._view is not None and is_due)

    def look_at(self, view: View) -> None:
        """Show another part of the map, or the same at another size."""
        if view != self._view:
            self._view = view
            self._plan()

    def set_probe(self, goal: Tile | None) -> None:
        """Lead the flow to a tile, None: nowhere."""
        if goal != self._flow_goal:
            self._flow_goal = goal
            if self._flow is not None:
                self._flow.set_goal(goal)
            self._is_kept_due = True
            self._describe_again(Layer.FLOW)

    def set_path(self, start: Tile | None, goal: Tile | None) -> None:
        """The ends of the test unit's way."""
        if (start, goal) != self._path_ends:
            self._path_ends = start, goal
            if self._path is not None:
                self._path.set_ends(start, goal)
            self._is_kept_due = True
            self._describe_again(Layer.PATH)

    def note_edit(self, x: int, y: int, width: int, height: int) -> None:
        """The grid's costs changed in a rectangle."""
        if width > 0 and height > 0:
            self._waits_for = []
            self._edits.append((x, y, width, height))

    def refresh_cache(self) -> None:
        """Ask anew what is kept, and describe that again if it has changed; for those who show a running game."""
        if Layer.CACHE in self._layers and self._is_built:
            self._is_kept_due = True
            self._waits_for = []
            self._compare_kept()

    def shown(self) -> dict[Key, Piece]:
        """All pieces as they are now."""
        return dict(self._shown)

    def draw_again(self) -> None:
        """Describe everything anew, for a renderer that has lost what it had."""
        self._shown.clear()
        self._patches.clear()
        self._line_count = 0
        self._plan()

    # --- planning

    def _wanted(self) -> list[Key]:
        if self._view is None:
            return []
        width, height = self.grid.width, self.grid.height
        self._level = level_of(self._view, width, height, self._size)
        chunks = chunks_in(self._view, self._level, width, height)
        layers = [layer for layer in DRAWING_ORDER if layer in self._layers]
        found = [Key(layer, None) for layer in layers if layer in Layer.FLOW | Layer.PATH | Layer.REBUILT]
        chunked = [layer for layer in layers if layer not in Layer.PATH | Layer.REBUILT]
        return found + [Key(layer, chunk) for chunk in chunks for layer in chunked]

    def _plan(self) -> None:
        """What is due after another view or other layers."""
        self._waits_for = []
        before = self._level
        wanted = self._wanted()
        is_other_level = self._level != before  # bars beside the chunks have the thickness of the level
        kept, dropped = set(wanted), []
        for key in [key for key in self._due if key in self._shown and key not in kept]:
            dropped.append(key)  # if it comes back before it is taken away, it is still due
            self._line_count -= self._shown.pop(key).line_count
        self._due = {
            key: None for key in wanted if key not in self._shown or key in self._due or (key.chunk is None and is_other_level)
        }
        gone = [*dropped, *(key for key in self._removed if key not in self._shown)]
        self._removed = [key for key in (*self._shown, *gone) if key not in kept]

    def _describe_again(self, layers: Layer) -> None:
        """All pieces of some layers are due; what is shown stays until then."""
        self._waits_for = []
        if self._view is not None:
            for key in self._wanted():
                if key.layer in layers:
                    self._due[key] = None
                    self._patches.pop(key, None)

    # --- work

    def advance(self, seconds: float) -> list[Change]:
        """Describe what is due, for about that long; what has changed since the last time."""
        until = time.perf_counter() + seconds
        changes: list[Change] = []
        if self._waits_for and not any(probe.is_released for probe in self._waits_for):
            return changes
        if not self._layers or self._view is None:
            return self._take_away()
        while not self._is_built:
            self._build_on()
            if time.perf_counter() >= until:
                return changes
        self._waits_for = []
        if not self._take_edits():
            return changes
        unknown = self._search()
        while True:
            for key in [key for key in self._due if key not in unknown]:
                del self._due[key]
                self._describe(key, changes)
                if time.perf_counter() >= until:
                    return changes
            if unknown or not self._compare_kept():
                break
        self._waits_for = self._searching(unknown)
        return changes + self._take_away({key.layer for key in unknown})

    def _take_away(self, still_shown: Collection[Layer] = ()) -> list[Change]:
        """Show no more what is out of view, but for some layers whose other pieces are not known yet."""
        gone = [key for key in self._removed if key.layer not in still_shown]
        self._removed = [key for key in self._removed if key.layer in still_shown]
        for key in gone:
            self._patches.pop(key, None)
            piece = self._shown.pop(key, None)
            self._line_count -= 0 if piece is None else piece.line_count
        if gone and self._flow is not None:
            self._flow.forget({key.chunk for key in self._shown if key.chunk is not None})
        return [Change(key, None) for key in gone]

    def _build_on(self) -> None:
        """One step of the sectors' build; edits meanwhile make it begin anew."""
        if self._building is None or self._built_revision != self.grid.revision:
            self._edits.clear()
            self._building, self._built_revision = self._sectors.build_in_steps(_SECTORS_PER_STEP), self.grid.revision
        progress = next(self._building, None)
        if progress is not None:
            self.progress = progress
            return
        self._building, self._is_built, self.progress = None, True, 1.0

    def _take_edits(self) -> bool:
        """Hand the edits to the sectors, and have all that may look different described anew.

        False as long as a search has not let go of the sectors: ask again in the next frame.
        """
        if not self._edits:
            return True
        are_free = [probe.let_go() for probe in (self._flow, self._path) if probe is not None]
        if not all(are_free):
            return False
        edits, self._edits = self._edits, []
        self._is_kept_due = True
        touched: list[npt.NDArray[np.int32]] = []
        changed: list[npt.NDArray[np.int32]] = []
        for edit in edits:
            touched.append(self._sectors.sectors_of(*edit))
            changed.append(self._sectors.update(*edit))
        every = np.unique(np.concatenate(changed)).astype(np.int32)
        box = _around(edits)
        self._last_edit = box, np.unique(np.concatenate(touched)), every
        self._probes_take_over(every)
        self._edited_pieces(box, every)
        return True

    def _probes_take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Those that are shown go on from what they know; others begin anew when they are shown again."""
        if self._flow is not None and Layer.FLOW in self._layers:
            self._flow.take_over(changed)
        else:
            self._flow = None
        if self._path is not None and Layer.PATH in self._layers:
            self._path.take_over(changed)
        else:
            self._path = None

    def _flow_probe(self) -> FlowProbe:
        if self._flow is None:
            self._flow = FlowProbe(self._sectors)
            self._flow.set_goal(self._flow_goal)
        return self._flow

    def _path_probe(self) -> PathProbe:
        if self._path is None:
            self._path = PathProbe(self._sectors)
            self._path.set_ends(*self._path_ends)
        return self._path

    def _edited_pieces(self, box: Rect, changed: npt.NDArray[np.int32]) -> None:
        islands = self._shown_chunks(Layer.ISLANDS)
        far = self._colours.recoloured(islands) if islands else set()
        reach = LARGEST_SIZE
        around = (box[0] - reach, box[1] - reach, box[2] + 2 * reach, box[3] + 2 * reach)
        usual, self._usual_cost = self._usual_cost, self.grid.usual_cost
        flow, place = Layer.FLOW, self._sectors.places(changed)
        self._due.update(dict.fromkeys([key for key in self._shown if key.layer is flow or key.chunk is None]))
        self._due.update(dict.fromkeys([Key(Layer.ISLANDS, chunk) for chunk in far]))
        for level in {self._level, *(key.chunk.level for key in self._removed if key.chunk is not None)}:
            near = chunks_in(View(*_corners(around), 1.0), level, self.grid.width, self.grid.height)
            for key in self._shown_keys(near, _TILE_BY_TILE):
                self._patch(key, around)
            for key in self._shown_keys(chunks_with(level, *place, self._size), _BY_SECTOR):
                self._due[key] = None
        if usual != self._usual_cost:
            for key in [Key(Layer.TILES, chunk) for chunk in self._shown_chunks(Layer.TILES)]:
                self._due[key] = None
                self._patches.pop(key, None)

    def _shown_chunks(self, layer: Layer) -> list[Chunk]:
        return [key.chunk for key in self._shown if key.layer is layer and key.chunk is not None]

    def _shown_keys(self, chunks: Iterable[Chunk], layers: Iterable[Layer]) -> list[Key]:
        """The pieces of some chunks and layers that are shown."""
        return [key for chunk in chunks for layer in layers if (key := Key(layer, chunk)) in self._shown]

    def _patch(self, key: Key, tiles: Rect) -> None:
        """Some tiles of a piece that is shown may look different; what is due of it as a whole stays so."""
        if key in self._patches:
            self._patches[key] = _around([self._patches[key], tiles])
        elif key not in self._due:
            self._patches[key] = tiles
        self._due[key] = None

    def _search(self) -> set[Key]:
        """Have searched for what leads to the probes; the pieces that are due and not known yet."""
        unknown: set[Key] = set()
        path, layer = Key(Layer.PATH, None), Layer.FLOW
        flow = [(key, key.chunk) for key in self._due if key.layer is layer and key.chunk is not None]
        if path in self._due and not self._path_probe().search():
            unknown.add(path)
        if flow and not self._flow_probe().search([chunk for _, chunk in flow]):
            unknown.update([key for key, _ in flow])
            return unknown
        for key, chunk in flow:
            before = self._shown.get(key)
            if before is not None and before is self._flow_probe().current(chunk):
                del self._due[key]
        return unknown

    def _searching(self, unknown: set[Key]) -> list[FlowProbe | PathProbe]:
        """Probes whose searches go on in the background, if nothing else is left to do than what waits for them."""
        if not unknown or len(self._due) > len(unknown) or self._edits:
            return []
        return [probe for probe in (self._flow, self._path) if probe is not None and not probe.is_released]

    def _describe(self, key: Key, changes: list[Change]) -> None:
        before = self._shown.get(key)
        piece = self._piece(key, before)
        if piece is before:
            return
        others = self._line_count - (0 if before is None else before.line_count)
        if others + piece.line_count > MOST_LINES:
            piece = Piece(piece.fill)
        self._line_count = others + piece.line_count
        self._shown[key] = piece
        if before is None and piece.is_empty:
            return
        changes.append(Change(key, piece))
        if key.layer == Layer.FLOW and key.chunk is not None and Layer.CACHE in self._layers:
            self._is_kept_due = True

    def _piece(self, key: Key, before: Piece | None) -> Piece:
        sectors, chunk, patch = self._sectors, key.chunk, self._patches.pop(key, None)
        if chunk is None:
            if key.layer == Layer.FLOW:
                return self._flow_probe().draw_mark(self._level)
            if key.layer == Layer.PATH:
                return self._path_probe().draw(self._level)
            return Piece() if self._last_edit is None else chunk_shapes.draw_rebuilt(sectors, *self._last_edit, self._level)
        if key.layer == Layer.FLOW:
            return self._flow_probe().draw(chunk)
        if key.layer == Layer.ISLANDS:
            return chunk_shapes.draw_islands(sectors, chunk, self._colours.roles)
        if key.layer == Layer.GRAPH:
            return chunk_shapes.draw_graph(sectors, chunk, self._lists)
        if key.layer == Layer.PORTALS:
            return chunk_shapes.draw_portals(sectors, chunk, self._lists)
        if key.layer == Layer.CLEARANCE:
            return chunk_shapes.draw_clearance(sectors.grid, chunk, self._unit_size, before, patch)
        if key.layer == Layer.TILES:
            return chunk_shapes.draw_tiles(sectors.grid, chunk, before, patch)
        if key.layer == Layer.CACHE:
            if self._kept is None:
                self._kept = self._kept_fields()
            return chunk_shapes.draw_cache(sectors, chunk, self._kept)
        return chunk_shapes.draw_sectors(sectors, chunk)

    def _kept_fields(self) -> npt.NDArray[np.int32]:
        """int32 (sectors,): fields kept by the probes, and by whoever ``cache_counts`` asks."""
        kept: npt.NDArray[np.int32] = np.zeros(self._sectors.sector_count, dtype=np.int32)
        for probe in (self._flow, self._path):
            if probe is not None:
                kept += probe.router.fields.kept_by_sector()
        others = self.cache_counts()
        return kept if others is None else kept + others

    def _compare_kept(self) -> bool:
        """Ask once what is kept now, and have those pieces described that show something else; whether there are any."""
        if not self._is_kept_due or Layer.CACHE not in self._layers:
            return False
        self._is_kept_due = False
        before, self._kept = self._kept, self._kept_fields()
        differs = np.arange(len(self._kept)) if before is None else np.flatnonzero(before != self._kept)
        column, row = self._sectors.places(differs)
        for level in {chunk.level for chunk in self._shown_chunks(Layer.CACHE)} if len(differs) else ():
            met = chunks_with(level, column, row, self._size)
            self._due.update(dict.fromkeys(Key(Layer.CACHE, chunk) for chunk in self._shown_chunks(Layer.CACHE) if chunk in met))
        return bool(self._due)


def _corners(rect: Rect) -> Rect:
    """Left, top, right and bottom of a rectangle (x, y, width, height)."""
    return rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]


def _around(rects: list[Rect]) -> Rect:
    left, top = min(rect[0] for rect in rects), min(rect[1] for rect in rects)
    return (
        left,
        top,
        max(rect[0] + rect[2] for rect in rects) - left,
        max(rect[1] + rect[3] for rect in rects) - top,
    )
