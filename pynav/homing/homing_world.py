"""A homing grid with its sources and projectiles: all state, and the phases of a tick in order."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pynav.homing import _source_kernels as kernels
from pynav.homing import homing_state
from pynav.homing.errors import HomingError
from pynav.homing.field_settings import FieldSettings
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import (
    BOX_NUMBERS,
    BUCKET_COLUMNS,
    BUCKET_ROWS,
    BUCKETS_X,
    BUCKETS_Y,
    CAPTURE,
    CELLS_X,
    CELLS_Y,
    COLUMNS,
    HAS_NOTES,
    HAS_REPELLERS,
    HAS_WELLS,
    HELD,
    ROWS,
    SOURCE_X,
    SOURCE_Y,
    START_X,
    START_Y,
    STATE,
    TARGET,
    TOUCH_VALUES,
)
from pynav.homing.projectile_settings import ProjectileSettings
from pynav.homing.projectiles import ProjectileBatch
from pynav.homing.source_table import SourceTable, checked_number, checked_points, checked_type
from pynav.homing.type_field import TypeField
from pynav.kernels.kept_call import KeptCall

_NO_DIRECTIONS: npt.NDArray[np.float32] = np.zeros((1, 2), np.float32)
_NO_CELLS: npt.NDArray[np.int32] = np.zeros(1, np.int32)


class HomingWorld:
    """Fields of direction over a box, the sources that make them, and the projectiles that follow them.

    Args:
        box: what the grid covers.
        settings: how fields are made, see FieldSettings.

    Notes:
        Deterministic: the same calls give the same bits on any number of threads and any kernel backend. Fields are updated
        when a count of simulated time says so; an update on the background thread is published on a tick that is fixed when
        it begins, whether the thread was fast or slow.

    Example:
        >>> world = HomingWorld(GridBox((0, 0), (16, 16), 16, 16))
        >>> enemy = world.add_sources([(12, 8)], radius=0.5)
        >>> missiles = world.add_projectiles(ProjectileSettings(top_speed=8, acceleration=24))
        >>> handle = missiles.spawn([(2, 8)], [(8, 0)])
        >>> for _ in range(120):
        ...     world.step(1 / 60)
        >>> len(missiles.take_hits().projectiles)
        1
    """

    def __init__(self, box: GridBox, settings: FieldSettings | None = None) -> None:
        self._box = box
        self._settings = FieldSettings() if settings is None else settings
        self._sources = SourceTable()
        self._fields: dict[int, TypeField] = {}
        self._batches: list[ProjectileBatch] = []
        self._next_batch = 0
        self._tick = 0
        self._box_numbers = np.zeros(BOX_NUMBERS, np.float32)
        columns, rows = box.bucket_counts
        size = box.bucket_size_in_cells
        numbers = self._box_numbers
        numbers[START_X], numbers[START_Y] = box.low
        numbers[CELLS_X], numbers[CELLS_Y] = 1.0 / box.cell_size[0], 1.0 / box.cell_size[1]
        numbers[BUCKETS_X], numbers[BUCKETS_Y] = numbers[CELLS_X] / np.float32(size), numbers[CELLS_Y] / np.float32(size)
        self._bucket_start = np.zeros(columns * rows + 2, np.int32)
        self._items = np.zeros(1024, np.int32)
        self._touch = np.zeros((1024, TOUCH_VALUES), np.float32)
        self._total = np.zeros(1, np.int64)
        self._lengths = (0.0, 0.0, 0.0)  # the largest hit radius, snap distance and way of a tick of all batches
        self._count_buckets = KeptCall(kernels.count_buckets)
        self._put_in_buckets = KeptCall(kernels.fill_buckets)

    # --- what is there

    @property
    def box(self) -> GridBox:
        """What the grid covers."""
        return self._box

    @property
    def settings(self) -> FieldSettings:
        """How its fields are made."""
        return self._settings

    @property
    def sources(self) -> SourceTable:
        """The table of sources; to read."""
        return self._sources

    @property
    def batches(self) -> tuple[ProjectileBatch, ...]:
        """The batches of projectiles, in the order in which they were added."""
        return tuple(self._batches)

    @property
    def tick(self) -> int:
        """Ticks so far."""
        return self._tick

    # --- sources

    def add_sources(
        self,
        positions: npt.ArrayLike,
        power: float = 1.0,
        type: int = 0,
        radius: float = 0.0,
        reach: float = 0.0,
        capture_radius: float = 0.0,
        pull: float = 0.0,
        dense: bool = False,
    ) -> npt.NDArray[np.int64]:
        """Add a source at each place.

        Args:
            positions: (n, 2), finite; one outside the box counts to the nearest cell.
            power: strength in the field; above 0 attracts, below 0 repels all that is nearer to it than to a target.
            type: of field, 0 to 7.
            radius: within which a projectile hits; 0: it cannot be hit, nor snapped to.
            reach: of a well: within which it pulls. With a power below 0: within which projectiles are led round; it then acts
                there alone, not in the field.
            capture_radius: above 0 makes it a gravity well that holds what comes so near.
            pull: of a well within its reach, units a second, a second.
            dense: the well's space is denser towards its middle, instead of a spring that latches.

        Returns:
            Handles.

        Raises:
            HomingError: a number that is not finite or out of range; nothing is added.
        """
        handles = self._sources.add(positions, power, type, radius, reach, capture_radius, pull, dense)
        self._field(type)
        return handles

    def move_sources(self, handles: npt.ArrayLike, positions: npt.ArrayLike, jump: bool = False) -> None:
        """Say where sources are now; by the next tick they moved there in a straight line, unless they ``jump``."""
        self._sources.move(handles, positions, jump)

    def change_sources(self, handles: npt.ArrayLike, **numbers: float) -> None:
        """Give sources another power, radius, reach, capture_radius or pull."""
        self._sources.change(handles, **numbers)

    def remove_sources(self, handles: npt.ArrayLike) -> None:
        """Take sources out; a well lets go what it held."""
        for slot in self._sources.slots_of(handles):
            if self._sources.values[CAPTURE, slot] > 0.0:
                self._release(int(slot))
        self._sources.remove(handles)

    def _release(self, well: int) -> None:
        for batch in self._batches:
            tags = batch.tags[:, : batch.slot_count]
            batch.release(np.flatnonzero((tags[STATE] == HELD) & (tags[TARGET] == well)))

    def propagate(self, positions: npt.ArrayLike, power: float = 1.0, type: int = 0) -> None:
        """Push into the relaxed field at some places for its next update alone: the post's propagators of a frame."""
        places = checked_points("positions", positions)
        strength = checked_number("power", power)
        self._field(checked_type(type)).pushes += [(float(x), float(y), strength) for x, y in places]

    # --- projectiles

    def add_projectiles(self, settings: ProjectileSettings | None = None, of_bodies: bool = False) -> ProjectileBatch:
        """A new, empty batch of projectiles; ``of_bodies``: they stand for bodies of the game."""
        batch = ProjectileBatch(ProjectileSettings() if settings is None else settings, of_bodies)
        self.take_projectiles(batch)
        return batch

    def take_projectiles(self, batch: ProjectileBatch) -> None:
        """Have a batch of another world fly on in this one; what wells of that one held must be released before."""
        self._field(batch.settings.type)
        batch.number = self._next_batch
        self._next_batch += 1
        self._batches.append(batch)

    def remove_projectiles(self, batch: ProjectileBatch) -> None:
        """Take a batch out of the world."""
        self._batches = [kept for kept in self._batches if kept is not batch]

    # --- the tick

    def step(self, delta: float) -> None:
        """Go on by a tick of ``delta`` seconds: fields that are due, then every batch.

        Raises:
            HomingError: a delta that is not finite or not above 0.
        """
        if not math.isfinite(delta) or delta <= 0.0:
            raise HomingError(f"delta must be a number of seconds above 0, got {delta}")
        self._sources.begin_tick(delta)
        for batch in self._batches:
            self._field(batch.settings.type)
        for type_number in sorted(self._fields):
            field = self._fields[type_number]
            field.record_targets(self._sources, self._box_numbers)
            field.step(self._sources, delta, self._tick)
            field.step_glow(self._sources, delta)
        self._fill_buckets(delta)
        switches = self._sources.has_repellers_and_wells()
        for batch in self._batches:
            batch.tick_numbers[HAS_REPELLERS], batch.tick_numbers[HAS_WELLS] = switches
        self._move_projectiles(delta)
        self._sources.end_tick()
        self._tick += 1

    def _field(self, type_number: int) -> TypeField:
        found = self._fields.get(type_number)
        if found is None:
            found = self._fields[type_number] = TypeField(self._box, self._settings, type_number)
        return found

    def _fill_buckets(self, delta: float) -> None:
        if not self._batches:
            return
        chosen = [batch.settings for batch in self._batches]
        hit_radius = max(one.hit_radius for one in chosen)
        step = max(one.top_speed for one in chosen) * delta * 1.001
        self._lengths = (hit_radius, max(one.snap_distance for one in chosen), step)
        sources, numbers = self._sources, self._box_numbers
        place = (
            *self._box.bucket_counts, float(numbers[START_X]), float(numbers[START_Y]), float(numbers[BUCKETS_X]),
            float(numbers[BUCKETS_Y]), hit_radius, step,
        )  # fmt: skip
        given = (sources.values, sources.tags, sources.count, self._bucket_start)
        self._count_buckets.bound(*given, self._total, *place).run()
        if self._total[0] > len(self._items):
            self._items = np.zeros(2 * int(self._total[0]), np.int32)
            self._touch = np.zeros((len(self._items), TOUCH_VALUES), np.float32)
        self._put_in_buckets.bound(*given, self._items, self._touch, *place).run()

    def _move_projectiles(self, delta: float) -> None:
        noted: set[int] = set()  # types whose notes are those of this tick
        for batch in self._batches:
            if batch.slot_count:
                field = self._fields[batch.settings.type]
                batch.prepare_tick(delta, field.blend, field.exact is not None)
                self._run(batch, field, noted)

    def _run(self, batch: ProjectileBatch, field: TypeField, noted: set[int]) -> None:
        counts = batch.tick_numbers
        counts[COLUMNS], counts[ROWS] = self._box.columns, self._box.rows
        counts[BUCKET_COLUMNS], counts[BUCKET_ROWS] = self._box.bucket_counts
        nearest, before, after = _NO_CELLS, _NO_DIRECTIONS, _NO_DIRECTIONS
        if field.exact is not None:
            nearest = field.exact.nearest[0]
        if field.relaxed is not None:
            after, before = field.relaxed.directions[0], field.relaxed.directions[1]
        chosen, notes = batch.settings, field.notes
        sources = (self._sources.values, self._sources.tags)
        cells = (field.seen, nearest, before, after, self._bucket_start)
        counts[HAS_NOTES] = chosen.lead == 0.0 and not chosen.bilinear and notes.are_worth_it(batch.slot_count)
        if counts[HAS_NOTES] and chosen.type not in noted:
            notes.make(self._lengths, *sources, field.first, *cells, self._touch, batch.tick_settings, counts)
            noted.add(chosen.type)
        batch.run_tick(self._box_numbers, *sources, field.first, *cells, self._items, self._touch, notes.table)

    # --- questions

    def strength(self, type: int = 0, blended: bool = False) -> npt.NDArray[np.float32]:
        """(rows, columns) float32: the relaxed field's strength as published last.

        In exact mode one that is kept for the eye alone, from the first question on: zeros until its first update, and no part of
        what is saved. ``blended``: on its way from the field before, as directions pass.
        """
        field = self._field(checked_type(type))
        last, before, _ = field.strength().shown
        return before + (last - before) * np.float32(field.strength_blend) if blended else last.copy()

    def published(self, type: int = 0) -> object:
        """An object that is another one after each update of the field: whether to look again."""
        field = self._field(checked_type(type))
        return field.relaxed.shown[0] if field.relaxed is not None else self.exact_map(type)

    def exact_map(self, type: int = 0) -> npt.NDArray[np.int32] | None:
        """The exact field's own array of nearest targets; None in relaxed mode. To read."""
        exact = self._field(checked_type(type)).exact
        return None if exact is None else exact.nearest[0]

    def directions(self, type: int = 0) -> npt.NDArray[np.float32]:
        """(rows, columns, 2) float32: unit directions of the cells as published last; 0 where nothing calls."""
        field = self._field(checked_type(type))
        shape = (self._box.rows, self._box.columns, 2)
        if field.relaxed is not None:
            return field.relaxed.directions[0].reshape(shape).copy()
        targets = self.nearest_targets(type)
        rows, columns = np.mgrid[: self._box.rows, : self._box.columns].astype(np.float32)
        (left, top), (width, height) = self._box.low, self._box.cell_size
        values = self._sources.values[:, np.maximum(targets, 0)]
        to = np.stack(
            [values[SOURCE_X] - (left + (columns + 0.5) * width), values[SOURCE_Y] - (top + (rows + 0.5) * height)], axis=-1
        )
        length = np.sqrt(np.square(to).sum(axis=-1))
        good = (targets >= 0) & (length > 0.0)
        return np.where(good[..., None], to / np.where(good, length, 1.0)[..., None], 0.0).astype(np.float32)

    def nearest_targets(self, type: int = 0) -> npt.NDArray[np.int32]:
        """(rows, columns) int32: slot of each cell's nearest target in exact mode; -1 where there is none."""
        exact = self._field(checked_type(type)).exact
        shape = (self._box.rows, self._box.columns)
        return np.full(shape, -1, np.int32) if exact is None else exact.nearest[0].reshape(shape).copy()

    # --- state

    def state_hash(self) -> str:
        """Hash of all state (32 hexadecimal digits); equal on every number of threads and kernel backend."""
        return homing_state.state_hash(self)

    def save(self) -> bytes:
        """The whole state as bytes; a world restored from them goes on with the same bits. Handles stay valid."""
        return homing_state.save(self)

    def restore(self, data: bytes) -> None:
        """Become the world that was saved, on any box. Batches that were there then stay the objects they are; those
        that were removed since come back as new ones.

        Raises:
            SnapshotError: bytes that are no whole snapshot of a homing world; this one is then as it was.
        """
        homing_state.restore(self, data)
