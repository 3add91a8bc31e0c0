"""The field of one type of source, relaxed or exact: when it is updated, where, and when that is published."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _source_kernels as kernels
from pynav.homing.cell_notes import CellNotes
from pynav.homing.field_settings import INLINE_WORK, FieldSettings
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import CELLS_X, CELLS_Y, START_X, START_Y
from pynav.homing.nearest_field import NearestField
from pynav.homing.relaxed_field import Pushes, RelaxedField
from pynav.homing.source_table import SourceTable
from pynav.kernels.kept_call import KeptCall

PUBLISH_TICKS = 4  # after a job of the background thread began; or when the next one is due, if that is sooner
_LATE = 1e-9


class TypeField:
    """Targets by cell each tick; the field itself at its own rate.

    Attributes:
        first: int32 (cells,), slot of the first target in each cell, -1 for none.
        seen: the same, and in cells without a target one of those that are in sight.
        relaxed: the relaxed field, None in exact mode.
        exact: the exact field, None in relaxed mode.
        blend: how far from the field before to the last one directions have passed, 0 to 1.
        pushes: what was propagated for the next update.
        notes: of cells, for projectiles; not part of the state.
    """

    def __init__(self, box: GridBox, settings: FieldSettings, type_number: int) -> None:
        self._box, self._settings, self._type = box, settings, type_number
        self.first: npt.NDArray[np.int32] = np.full(box.cell_count, -1, np.int32)
        self.seen: npt.NDArray[np.int32] = np.full(box.cell_count, -1, np.int32)
        self._touched: npt.NDArray[np.int32] = np.zeros(64, np.int32)
        self._touched_count = np.zeros(1, np.int64)
        self.relaxed = RelaxedField(box, settings) if settings.mode == "relaxed" else None
        self.exact = NearestField(box) if settings.mode == "exact" else None
        self._record = KeptCall(kernels.record_targets)
        self.notes = CellNotes(box)
        self._glow: RelaxedField | None = None  # strengths in exact mode
        self._glow_wait, self._glow_is_due = 0.0, False
        self.pushes: Pushes = []
        self.wait = 0.0  # seconds until the next update
        self.due_tick = -1  # in which the update on the background thread is published; -1: there is none
        self.since = 0.0  # seconds since the last was published
        self.published = 0  # updates, up to 2
        self.blend = 1.0

    @property
    def _field(self) -> RelaxedField | NearestField:
        found = self.relaxed if self.relaxed is not None else self.exact
        assert found is not None
        return found

    @property
    def is_inline(self) -> bool:
        """Whether updates are done at once, on the thread of the tick."""
        return self._field.work <= self._settings.most_inline_work

    def strength(self) -> RelaxedField:
        """The field whose strengths are shown. In exact mode one is kept beside it from the first question on, for the eye alone:
        it is no part of the state, and nothing flies by it.
        """
        if self.relaxed is not None:
            return self.relaxed
        if self._glow is None:
            self._glow = RelaxedField(self._box, self._settings)
            self._glow_wait = 0.0
        return self._glow

    @property
    def strength_blend(self) -> float:
        """How far from the strengths before to the last ones what is shown has passed, 0 to 1."""
        rate = self._settings.updates_per_second
        return self.blend if self._glow is None or rate <= 0.0 else min(1.0, max(0.0, 1.0 - self._glow_wait * rate))

    def step_glow(self, sources: SourceTable, delta: float) -> None:
        """Go on with the strengths of exact mode, if somebody asked for them; large ones on the background thread."""
        glow = self._glow
        if glow is None:
            return
        self._glow_wait -= delta
        if self._glow_wait > _LATE:
            return
        rate = self._settings.updates_per_second
        self._glow_wait = max(0.0, self._glow_wait + (1.0 / rate if rate > 0.0 else 0.0))
        if self._glow_is_due:
            glow.finish_job()
            glow.publish()
        glow.take_sources(sources, self._type, [])
        border = self._settings.inline_work
        self._glow_is_due = glow.work > (INLINE_WORK["relaxed"] if border is None else border)
        if self._glow_is_due:
            glow.start_job()
        else:
            glow.update()
            glow.publish()

    def record_targets(self, sources: SourceTable, numbers: npt.NDArray[np.float32]) -> None:
        """Note the first target of each cell."""
        # An exact field that is made anew each tick is never old: beyond its own cell nothing need be seen.
        sight = 0 if self.exact is not None and self.is_inline else self._settings.sight_cells
        most = min(sources.count * (2 * sight + 1) ** 2, self._box.cell_count)
        if len(self._touched) < most:
            more = np.zeros(2 * most, np.int32)
            more[: len(self._touched)] = self._touched
            self._touched = more
        self._record.bound(
            sources.values, sources.tags, sources.count, self._type, self.first, self.seen, self._touched,
            self._touched_count, sight,
            self._box.columns, self._box.rows, float(numbers[START_X]), float(numbers[START_Y]), float(numbers[CELLS_X]),
            float(numbers[CELLS_Y]),
        ).run()  # fmt: skip

    def step(self, sources: SourceTable, delta: float, tick: int) -> None:
        """Publish what is due, begin what is due."""
        rate = self._settings.updates_per_second
        period = 1.0 / rate if rate > 0.0 else 0.0
        is_inline = self.is_inline
        self.wait -= delta
        self.since += delta
        is_due = self.wait <= _LATE or (self.exact is not None and is_inline)
        if self.due_tick >= 0 and (tick >= self.due_tick or is_due):
            self.finish_job()
            self._publish()
        if is_due:
            self.wait = max(0.0, self.wait + period)
            if self.relaxed is not None:
                self.relaxed.take_sources(sources, self._type, self.pushes)
                self.pushes = []
            elif self.exact is not None:
                self.exact.take_sources(sources, self._type)
            if is_inline:
                self._field.update()
                self._publish()
            else:
                self._field.start_job()
                self.due_tick = tick + PUBLISH_TICKS
        smooth = self._settings.interpolated and period > 0.0 and self.published > 1
        self.blend = min(1.0, (self.since + delta) / period) if smooth else 1.0

    def finish_job(self) -> None:
        """Have the update in progress done, so that all arrays are this thread's; it is published when it is due."""
        self._field.finish_job()
        if self._glow is not None and self._glow_is_due:
            self._glow.finish_job()

    def _publish(self) -> None:
        self._field.publish()
        self.published = min(2, self.published + 1)
        self.due_tick = -1
        self.since = 0.0

    def state(self) -> dict[str, Any]:
        """Numbers that a snapshot keeps."""
        return {
            "pushes": [list(push) for push in self.pushes],
            "wait": self.wait, "due_tick": self.due_tick, "since": self.since, "published": self.published, "blend": self.blend,
        }  # fmt: skip

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays that a snapshot keeps; ``finish_job`` comes first."""
        return self._field.arrays()

    def load(self, state: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        self.pushes = [(push[0], push[1], push[2]) for push in state["pushes"]]
        self.wait, self.due_tick, self.since = state["wait"], state["due_tick"], state["since"]
        self.published, self.blend = state["published"], state["blend"]
        self._field.load(arrays)
