"""The flow to a probe point and the way of a test unit: searched in the background, described from the solver's own fields."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.drawing import _flow_kernels as kernels
from pynav.drawing.chunk_shapes import sector_rect, sectors_in
from pynav.drawing.flow_reading import FlowReader, FlowWatch, Part, Rect, empty_flow
from pynav.drawing.piece import NO_PLACES, Fill, Piece, diamonds, thick_lines
from pynav.drawing.roles import Role
from pynav.drawing.view import LEVELS, Chunk, chunks_with, tiles_of
from pynav.kernels.kept_call import KeptCall
from pynav.portals import PortalRouter, SectorMap
from pynav.portals.best_anchors import BestAnchors

Tile = tuple[int, int]
Floats = npt.NDArray[np.float32]
_SECTORS_READ_AT_ONCE = 48  # about a millisecond
_SECTORS_AT_ONCE = 24  # of a walk: a millisecond or two
_WALK, _ROUTE, _CASING = 0.3, 0.75, 0.24


class _KeptFlow(NamedTuple):
    """What was read of a chunk."""

    code: npt.NDArray[np.uint8]
    remaining: npt.NDArray[np.int64]


class _Probe:
    """What both share: a goal, and a router to it whose search goes on in the background.

    Args:
        sectors: the map's sectors; they may change only while ``let_go`` says so.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self.router = PortalRouter(sectors)
        self.goal: Tile | None = None
        self._led_to: Tile | None = None

    @property
    def is_released(self) -> bool:
        """Whether no search of it goes on in the background."""
        return self.router.search.is_released

    def let_go(self) -> bool:
        """Search no more until asked again, without waiting; whether nobody uses the sectors now."""
        return self.router.search.stop()

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit of the sectors; after ``let_go``."""
        has_one_way = self.router.sectors.grid.has_one_way
        if has_one_way:  # the edit may have brought the first
            _set_goal(self.router, None)
        self.router.take_over(changed)
        if self._led_to != self.goal and not has_one_way:
            self._lead()

    def _lead(self) -> bool:
        """Have the router lead to the goal; False as long as the search for another one has not ended."""
        search = self.router.search
        if self._led_to != self.goal:
            if not search.stop():
                return False
            _set_goal(self.router, self.goal)
            self._led_to = self.goal
        return search.is_released


class FlowProbe(_Probe):
    """The flow to one tile, for as many chunks as somebody looks at.

    Args:
        sectors: the map's sectors.
    """

    def __init__(self, sectors: SectorMap) -> None:
        super().__init__(sectors)
        self._wanted: set[Chunk] = set()
        self._edit_count: npt.NDArray[np.int64] = np.zeros(sectors.sector_count, dtype=np.int64)
        self._reader = FlowReader(self.router)
        self._watch = FlowWatch(self.router, self._edit_count)
        self._best = BestAnchors(self.router.search)
        self._is_looked_at = False  # since the search was used or the map changed
        self._kept: dict[Chunk, _KeptFlow] = {}
        self._pieces: dict[Chunk, Piece] = {}
        self._asked: list[Chunk] = []  # that will be drawn next
        self._is_read: set[Chunk] = set()  # since the last look
        self._rects: dict[Chunk, Rect] = {}  # of the chunks that are shown
        self._describe_near, self._describe_far = KeptCall(kernels.describe_near), KeptCall(kernels.describe_far)
        self._near_room, self._far_room = (
            _PieceRoom(max(level.chunk // cell for level in LEVELS if (level.arrow_step >= sectors.size) == is_far))
            for is_far, cell in ((False, 1), (True, sectors.size))
        )
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    def set_goal(self, goal: Tile | None) -> None:
        """Lead to another tile, or nowhere."""
        self.goal = goal
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._wanted = set()
        self._is_looked_at = False
        self._kept.clear()
        self._pieces.clear()
        self._is_read.clear()

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit of the sectors; after ``let_go``."""
        super().take_over(changed)
        self._wanted = set()
        self._is_looked_at = False
        self._edit_count[changed] += 1
        if self.router.sectors.grid.has_one_way:
            self._begin_anew()  # it leads nowhere now

    def forget(self, shown: set[Chunk]) -> None:
        """Keep what was read of the chunks that are shown, and of no others."""
        kept: dict[Chunk, _KeptFlow] | dict[Chunk, Piece] | dict[Chunk, Rect]
        for kept in (self._kept, self._pieces, self._rects):
            for chunk in [chunk for chunk in kept if chunk not in shown]:
                del kept[chunk]
        self._wanted &= shown
        self._is_read &= shown

    def search(self, chunks: list[Chunk]) -> bool:
        """Have what some chunks show searched for in the background; whether it is known."""
        if not self._lead():
            return False
        self._asked = chunks
        missing = [chunk for chunk in chunks if chunk not in self._wanted]
        if missing:
            self._wanted.update(missing)
            self._is_looked_at = False
            sectors = self.router.sectors
            self.router.search.begin(np.concatenate([sectors_in(sectors, self._rect(chunk)) for chunk in missing]))
        return self.router.search.pursue()

    def _rect(self, chunk: Chunk) -> Rect:
        """The sectors that begin in a chunk."""
        found = self._rects.get(chunk)
        if found is None:
            sectors = self.router.sectors
            found = self._rects[chunk] = sector_rect(sectors, tiles_of(chunk, sectors.grid.width, sectors.grid.height))
        return found

    def current(self, chunk: Chunk) -> Piece | None:
        """What was described of a chunk, if it still holds; after ``search``."""
        if not self._is_looked_at:
            self._look()
        return self._pieces.get(chunk)

    def _look(self) -> None:
        """Forget the pieces of which something else is known now."""
        self._is_looked_at = True
        self._is_read.clear()
        sectors = self.router.sectors
        for is_far in (False, True):
            chunks = [chunk for chunk in {*self._wanted, *self._kept, *self._pieces} if self._is_far(chunk) == is_far]
            if not chunks:
                continue
            rects = np.array([self._rect(chunk) for chunk in chunks])
            (left, top), (right, bottom) = rects[:, :2].min(axis=0).tolist(), rects[:, 2:].max(axis=0).tolist()
            rect = left, top, right, bottom
            changed = self._best.refresh(rect) if is_far else self._watch.look(rect)
            column, row = sectors.places(changed)
            for level in {chunk.level for chunk in chunks}:
                for chunk in chunks_with(level, column, row, sectors.size):
                    self._pieces.pop(chunk, None)

    def _is_far(self, chunk: Chunk) -> bool:
        """Whether it shows no tiles but sectors."""
        return LEVELS[chunk.level].arrow_step >= self.router.sectors.size

    def draw(self, chunk: Chunk) -> Piece:
        """Rings of equal distance and arrows; after ``search`` for the chunk."""
        if self.goal is None:
            return Piece()
        piece = self.current(chunk)
        if piece is None:
            piece = self._draw_from_afar(chunk) if self._is_far(chunk) else self._draw_near(chunk)
            self._pieces[chunk] = piece
        return piece

    def _draw_near(self, chunk: Chunk) -> Piece:
        """A colour a tile, and an arrow a tile or every other tile."""
        sectors, step = self.router.sectors, LEVELS[chunk.level].arrow_step
        rect = self._rect(chunk)
        if chunk not in self._is_read:
            self._read(chunk)
        kept = self._kept[chunk]
        left, top, room = rect[0] * sectors.size, rect[1] * sectors.size, self._near_room
        self._describe_near.bound(kept.code, kept.remaining, left, top, step, self._far, *room.all, self._result).run()
        return room.piece(left, top, 1, kept.code.shape, int(self._result[0]), 0.78 * step)

    def _read(self, first: Chunk) -> None:
        """Read what is not known of a chunk, and of others that will be drawn next, as many as are read in one go."""
        sectors, parts, count = self.router.sectors, [], 0
        for chunk in [first, *(chunk for chunk in self._asked if chunk != first)]:
            if count >= _SECTORS_READ_AT_ONCE:
                break
            if chunk in self._is_read or chunk in self._pieces or self._is_far(chunk):
                continue
            rect, kept = self._rect(chunk), self._kept.get(chunk)
            is_new = kept is None
            if kept is None:
                kept = self._kept[chunk] = _KeptFlow(*empty_flow(sectors, rect))
            stale = self._watch.take(rect, kept.remaining)
            parts.append(Part(rect, sectors_in(sectors, rect).tolist() if is_new else stale, *kept))
            count += len(parts[-1].listed)
            self._is_read.add(chunk)
        if count:
            self._reader.read(parts)

    @property
    def _far(self) -> int:
        """Tiles from which on all is as far."""
        return self.router.sectors.grid.width + self.router.sectors.grid.height

    def _draw_from_afar(self, chunk: Chunk) -> Piece:
        """A colour and an arrow a sector, from the values of its anchors alone: towards the best one."""
        sectors, size = self.router.sectors, self.router.sectors.size
        left, top, right, bottom = self._rect(chunk)
        every = max(LEVELS[chunk.level].arrow_step // size, 1)
        room = self._far_room
        self._describe_far.bound(
            self._best.tile, self._best.value, left, top, right, bottom, size, sectors.column_count, sectors.grid.width, every,
            self._far, *room.all, self._result,
        ).run()  # fmt: skip
        shape = bottom - top, right - left
        return room.piece(left * size, top * size, size, shape, int(self._result[0]), 0.6 * size * every)

    def draw_mark(self, level: int) -> Piece:
        """The place that all leads to."""
        if self.goal is None:
            return Piece()
        return mark(self.goal, Role.GOAL, LEVELS[level].thickness)


class _PieceRoom:
    """Arrays for what the kernels describe of a chunk.

    Args:
        side: tiles, or sectors, a side of the chunk.
    """

    def __init__(self, side: int) -> None:
        self._fill: npt.NDArray[np.uint8] = np.zeros((side, side), dtype=np.uint8)
        self._place: Floats = np.zeros((side * side, 2), dtype=np.float32)
        self._code, self._role = (np.zeros(side * side, dtype=np.uint8) for _ in range(2))

    @property
    def all(self) -> tuple[npt.NDArray[np.uint8], Floats, npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Roles of the filled tiles; places, codes and roles of arrows."""
        return self._fill, self._place, self._code, self._role

    def piece(self, left: int, top: int, stride: int, shape: tuple[int, ...], count: int, size: float) -> Piece:
        """A piece with a fill of a shape, and with the first arrows."""
        code, role = (array[:count].copy() for array in (self._code, self._role))
        fill = Fill(left, top, stride, self._fill[: shape[0], : shape[1]].copy())
        return Piece(fill, arrow_places=self._place[:count].copy(), arrow_codes=code, arrow_roles=role, arrow_size=size)


def mark(tile: Tile, role: Role, thickness: float) -> Piece:
    """A diamond in a casing on the middle of a tile."""
    place = np.array([[tile[0] + 0.5, tile[1] + 0.5]], dtype=np.float32)
    size = 1.3 * thickness
    quads = [diamonds(place, size * 1.75), diamonds(place, size * 1.3), diamonds(place, size * 0.5)]
    roles = np.array([Role.LABEL_GROUND, role, Role.LABEL_GROUND], dtype=np.uint8)
    return Piece(quads=np.concatenate(quads), quad_roles=roles)


class PathProbe(_Probe):
    """The way of a test unit between two tiles: over which portals, and tile by tile.

    Args:
        sectors: the map's sectors.

    Attributes:
        start: where it begins, or None.
        walk: int32 (n, 2), the tiles that it walks; empty without a way.
        crossings: float32 (n, 2), where the route over portals crosses borders, from the start's region on.
    """

    def __init__(self, sectors: SectorMap) -> None:
        super().__init__(sectors)
        self.start: Tile | None = None
        self._is_due = self._is_begun = False
        self._is_likely_as_before = False  # the way, but for what an edit changed of it
        self._walking: Generator[None, None, npt.NDArray[np.int32]] | None = None
        self._forget()

    def _forget(self) -> None:
        self.walk: npt.NDArray[np.int32] = np.zeros((0, 2), dtype=np.int32)
        self.crossings: Floats = NO_PLACES

    def set_ends(self, start: Tile | None, goal: Tile | None) -> None:
        """Look for another way."""
        self.start, self.goal = start, goal
        self._is_likely_as_before = False
        self._is_due, self._is_begun, self._walking = True, False, None

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit of the sectors; after ``let_go``."""
        super().take_over(changed)
        self._is_likely_as_before = not self._is_due
        self._is_due, self._is_begun, self._walking = True, False, None

    def search(self) -> bool:
        """Have the way searched for in the background; whether it is known."""
        if not self._is_due:
            return True
        if not self._lead():
            return False
        sectors, start, goal = self.router.sectors, self.start, self.goal
        if start is None or goal is None or not sectors.grid.is_free(*start):
            self._is_due = False
            self._forget()
            return True
        if not self._is_begun:
            self._is_begun = True
            if sectors.component_of(*start) == sectors.component_of(*goal):
                self.router.search.begin([sectors.sector_of(*start), *self._sectors_of_walk()])
            else:  # nothing is searched for then, so nothing may be asked for
                self._is_likely_as_before = False
        if not self.router.search.pursue():
            return False
        walk = self._walk_on(start)
        if walk is None:
            return False
        self._is_due, self._walking = False, None
        self.walk = walk
        self.crossings = self._crossings_of(self.walk)
        return True

    def _sectors_of_walk(self) -> list[int]:
        """Sectors whose fields are likely to be asked for."""
        if not self._is_likely_as_before:
            return []
        column, row = (self.walk // self.router.sectors.size).T
        return list(np.unique(row * self.router.sectors.column_count + column).tolist())

    def _walk_on(self, start: Tile) -> npt.NDArray[np.int32] | None:
        """Walk through some sectors; the whole walk once it is done."""
        if self._walking is None:
            if self._is_likely_as_before:
                self.router.prepare(self.walk)
            self._walking = self.router.path_steps(start)
        try:
            for _ in range(_SECTORS_AT_ONCE):
                next(self._walking)
        except StopIteration as end:
            walk: npt.NDArray[np.int32] = end.value
            return walk
        return None

    def _crossings_of(self, walk: npt.NDArray[np.int32]) -> Floats:
        """Where the search over portals crosses borders, from the first final anchor on at which the walk crosses one."""
        sectors, search, pool = self.router.sectors, self.router.search, self.router.sectors.pool
        width = sectors.grid.width
        sector = walk[:, 1] // sectors.size * sectors.column_count + walk[:, 0] // sectors.size
        for place in np.flatnonzero(np.diff(sector)).tolist():
            own = pool.tiles(int(sector[place]))
            found = np.flatnonzero(own == walk[place, 1] * width + walk[place, 0])
            anchors = [int(pool.anchor_base[sector[place]]) + int(local) for local in found]
            final = [anchor for anchor in anchors if search.is_settled(anchor)]
            if final:
                break
        else:
            return NO_PLACES
        best = min(final, key=lambda anchor: int(search.remaining[anchor]))
        tile = pool.anchor_tile[np.array(search.route(best))]
        return np.stack([tile % width + 0.5, tile // width + 0.5], axis=1).astype(np.float32)

    def draw(self, level: int) -> Piece:
        """The route over portals broad, the walked one on it, both ends marked."""
        thick = LEVELS[level].thickness
        quads: list[Floats] = []
        roles: list[npt.NDArray[np.uint8]] = []

        def add(found: Floats, role: Role) -> None:
            quads.append(found)
            roles.append(np.full(len(found), role, dtype=np.uint8))

        walk = corners_of(self.walk).astype(np.float32) + np.float32(0.5)
        if len(walk):
            route = np.concatenate([walk[:1], self.crossings, walk[-1:]])
            add(thick_lines(route[:-1], route[1:], _ROUTE * thick * 0.5), Role.ROUTE)
            add(diamonds(self.crossings, _ROUTE * thick * 1.5), Role.ROUTE)
            add(thick_lines(walk[:-1], walk[1:], (_WALK + _CASING) * thick), Role.LABEL_GROUND)
            add(thick_lines(walk[:-1], walk[1:], _WALK * thick), Role.WALK)
        for tile, role in ((self.start, Role.START), (self.goal, Role.GOAL)):
            if tile is not None:
                found = mark(tile, role, thick)
                quads.append(found.quads)
                roles.append(found.quad_roles)
        if not quads:
            return Piece()
        return Piece(quads=np.concatenate(quads), quad_roles=np.concatenate(roles))


def corners_of(walk: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The tiles of a walk where it begins, turns and ends."""
    if len(walk) < 3:
        return walk
    step = np.diff(walk, axis=0)
    turns = np.flatnonzero((step[1:] != step[:-1]).any(axis=1)) + 1
    return np.asarray(walk[np.concatenate([[0], turns, [len(walk) - 1]])], dtype=np.int32)


def _set_goal(router: PortalRouter, goal: Tile | None) -> None:
    """Lead to a tile; nowhere without one, and on maps with closed exits, which this solver doesn't know."""
    nowhere: npt.NDArray[np.int32] = np.zeros((0, 2), dtype=np.int32)
    router.set_goals(nowhere if goal is None or router.sectors.grid.has_one_way else [goal])
