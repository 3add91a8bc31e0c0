"""The flow to a probe point and the way of a test unit: searched in the background, described from the solver's own fields."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.drawing.chunk_shapes import sector_rect, sectors_in
from pynav.drawing.flow_reading import ChangeWatch, FlowReader, Rect, empty_flow
from pynav.drawing.piece import NO_PLACES, Fill, Piece, diamonds, thick_lines
from pynav.drawing.roles import FLOW_STEPS, Role
from pynav.drawing.view import LEVELS, Chunk, tiles_of
from pynav.grid.steps import UNIT_STEP_COST
from pynav.portals import PortalRouter, SectorMap
from pynav.portals.best_anchors import BestAnchors

Tile = tuple[int, int]
Floats = npt.NDArray[np.float32]
_BRIGHT_STEPS = 13  # of the ramp: dark arrows are seen on these
_SECTORS_AT_ONCE = 24  # of a walk: a millisecond or two
_WALK, _ROUTE, _CASING = 0.3, 0.75, 0.24


class _KeptFlow(NamedTuple):
    """What was read of a chunk, and what it followed from."""

    watch: ChangeWatch
    code: npt.NDArray[np.uint8]
    remaining: npt.NDArray[np.int64]
    piece: Piece


class _KeptFar(NamedTuple):
    """What a chunk seen from afar shows, and what that follows from: each sector's tile to head for, and what remains there."""

    best: BestAnchors
    piece: Piece | None


class _Probe:
    """What both share: a goal, and a router to it whose search goes on in the background.

    Args:
        sectors: the map's sectors; they may change only while ``let_go`` says so.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self.router = PortalRouter(sectors)
        self.goal: Tile | None = None
        self._led_to: Tile | None = None

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
        self._kept: dict[Chunk, _KeptFlow] = {}
        self._kept_far: dict[Chunk, _KeptFar] = {}

    def set_goal(self, goal: Tile | None) -> None:
        """Lead to another tile, or nowhere."""
        self.goal = goal
        self._wanted = set()
        self._kept.clear()
        self._kept_far.clear()

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit of the sectors; after ``let_go``."""
        super().take_over(changed)
        self._wanted = set()
        self._edit_count[changed] += 1

    def forget(self, shown: set[Chunk]) -> None:
        """Keep what was read of the chunks that are shown, and of no others."""
        kept: dict[Chunk, _KeptFlow] | dict[Chunk, _KeptFar]
        for kept in (self._kept, self._kept_far):
            for chunk in [chunk for chunk in kept if chunk not in shown]:
                del kept[chunk]

    def search(self, chunks: list[Chunk]) -> bool:
        """Have what some chunks show searched for in the background; whether it is known."""
        if not self._lead():
            return False
        missing = [chunk for chunk in chunks if chunk not in self._wanted]
        if missing:
            self._wanted.update(missing)
            sectors = self.router.sectors
            rects = [sector_rect(sectors, tiles_of(chunk, sectors.grid.width, sectors.grid.height)) for chunk in missing]
            self.router.search.begin(np.concatenate([sectors_in(sectors, rect) for rect in rects]))
        return self.router.search.pursue()

    def draw(self, chunk: Chunk) -> Piece:
        """Rings of equal distance and arrows; after ``search`` for the chunk."""
        if self.goal is None:
            return Piece()
        sectors = self.router.sectors
        level = LEVELS[chunk.level]
        tiles = tiles_of(chunk, sectors.grid.width, sectors.grid.height)
        if level.arrow_step >= sectors.size:
            return self._draw_from_afar(chunk, tiles)
        rect = sector_rect(sectors, tiles)
        kept = self._kept.get(chunk)
        if kept is None:
            kept = _KeptFlow(ChangeWatch(self.router, rect, self._edit_count), *empty_flow(sectors, rect), Piece())
        changed = kept.watch.changed()
        if not changed:
            return kept.piece
        self._reader.read(rect, changed, kept.code, kept.remaining)
        piece = self._draw_near(chunk, tiles, kept.code, kept.remaining)
        self._kept[chunk] = kept._replace(piece=piece)
        return piece

    def _draw_near(self, chunk: Chunk, tiles: Rect, code: npt.NDArray[np.uint8], remaining: npt.NDArray[np.int64]) -> Piece:
        """A colour and an arrow a tile, or every other tile."""
        sectors, level = self.router.sectors, LEVELS[chunk.level]
        stride = max(level.stride, 1)
        far = sectors.grid.width + sectors.grid.height
        fill = Fill(tiles[0], tiles[1], stride, distance_roles(remaining[::stride, ::stride], far))
        half = level.arrow_step // 2
        part = code[half :: level.arrow_step, half :: level.arrow_step]
        row, column = np.nonzero(part < 8)
        places = np.stack([column, row], axis=1) * level.arrow_step + (np.array(tiles[:2]) + half + 0.5)
        return Piece(
            fill,
            arrow_places=places.astype(np.float32),
            arrow_codes=part[row, column],
            arrow_roles=arrow_roles(fill.roles[half :: level.arrow_step, half :: level.arrow_step][row, column]),
            arrow_size=0.78 * level.arrow_step,
        )

    def _draw_from_afar(self, chunk: Chunk, tiles: tuple[int, int, int, int]) -> Piece:
        """A colour and an arrow a sector, from the values of its anchors alone: towards the best one."""
        sectors, size = self.router.sectors, self.router.sectors.size
        rect = left, top, right, bottom = sector_rect(sectors, tiles)
        kept = self._kept_far.get(chunk)
        if kept is None:
            kept = _KeptFar(BestAnchors(self.router.search, sectors_in(sectors, rect)), None)
        if not kept.best.refresh() and kept.piece is not None:
            return kept.piece
        ahead_of, remaining = kept.best.tile, kept.best.value
        row, column = np.divmod(kept.best.sector, sectors.column_count)
        far = sectors.grid.width + sectors.grid.height
        roles = distance_roles(remaining, far).reshape(bottom - top, right - left)
        every = max(LEVELS[chunk.level].arrow_step // size, 1)
        shown = (ahead_of >= 0) & (row % every == every // 2) & (column % every == every // 2)
        tile = ahead_of[shown].astype(np.int64)
        places = np.stack([column[shown] + 0.5, row[shown] + 0.5], axis=1) * size
        ahead = np.stack([tile % sectors.grid.width + 0.5, tile // sectors.grid.width + 0.5], axis=1) - places
        codes = np.rint(np.arctan2(ahead[:, 1], ahead[:, 0]) / (np.pi / 4)).astype(np.int64) % 8
        thin = np.where(roles > 0, roles + (Role.FLOW_FROM_AFAR - Role.FLOW), 0).astype(np.uint8)
        piece = Piece(
            Fill(left * size, top * size, size, thin),
            arrow_places=places.astype(np.float32),
            arrow_codes=codes.astype(np.uint8),
            arrow_roles=arrow_roles(roles.reshape(-1)[shown]),
            arrow_size=0.6 * size * every,
        )
        self._kept_far[chunk] = kept._replace(piece=piece)
        return piece

    def draw_mark(self, level: int) -> Piece:
        """The place that all leads to."""
        if self.goal is None:
            return Piece()
        return mark(self.goal, Role.GOAL, LEVELS[level].thickness)


def arrow_roles(ground: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """uint8: the role of arrows by that of the ground below them, so that they stand out."""
    is_bright = (ground >= Role.FLOW) & (ground < Role.FLOW + _BRIGHT_STEPS)
    return np.where(is_bright, Role.ARROW_ON_BRIGHT, Role.ARROW).astype(np.uint8)


def distance_roles(remaining: npt.NDArray[np.int64], far: int) -> npt.NDArray[np.uint8]:
    """uint8: the step of the ramp for what remains (-1: no way), the last one from ``far`` tiles on; finer near the goal."""
    distance = np.maximum(remaining, 0) / UNIT_STEP_COST
    step = np.minimum(np.sqrt(distance / far), 1.0) * (FLOW_STEPS - 1)
    return np.where(remaining >= 0, Role.FLOW + step.astype(np.uint8), 0).astype(np.uint8)


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
        self._walking: Generator[None, None, npt.NDArray[np.int32]] | None = None
        self._forget()

    def _forget(self) -> None:
        self.walk: npt.NDArray[np.int32] = np.zeros((0, 2), dtype=np.int32)
        self.crossings: Floats = NO_PLACES

    def set_ends(self, start: Tile | None, goal: Tile | None) -> None:
        """Look for another way."""
        self.start, self.goal = start, goal
        self._is_due, self._is_begun, self._walking = True, False, None

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit of the sectors; after ``let_go``."""
        super().take_over(changed)
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
                self.router.search.begin([sectors.sector_of(*start)])
        if not self.router.search.pursue():
            return False
        walk = self._walk_on(start)
        if walk is None:
            return False
        self._is_due, self._walking = False, None
        self.walk = walk
        self.crossings = self._crossings_of(self.walk)
        return True

    def _walk_on(self, start: Tile) -> npt.NDArray[np.int32] | None:
        """Walk through some sectors; the whole walk once it is done."""
        if self._walking is None:
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
