"""The relaxed field of one type of source: strengths that flow from cell to cell, and the directions they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _relaxation_kernels as kernels
from pynav.homing.field_settings import FieldSettings
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import POWER, REACH, SOURCE_X, SOURCE_Y
from pynav.homing.source_table import SourceTable
from pynav.jobs import SlicedJob
from pynav.kernels import Sequence, Step
from pynav.kernels.kept_call import KeptCall

_CELLS_A_BLOCK = 16_384
_CELLS_A_SLICE = 32_768
_MOST = np.float32(1e30)  # that a source adds in a sweep: a cell of thousands of such stays finite

Pushes = list[tuple[float, float, float]]  # x, y, power of what was propagated for one update


class RelaxedField:
    """Work arrays that belong to the update in progress, and three published frames: the last, the one before, the next."""

    def __init__(self, box: GridBox, settings: FieldSettings) -> None:
        self._box, self._settings = box, settings
        self.pad = settings.padding + 1
        shape = (box.rows + 2 * self.pad, box.columns + 2 * self.pad)
        own_shape = shape if settings.reading == "engine" else (0, 0)
        self.strength = [np.zeros(shape, np.float32), np.zeros(shape, np.float32)]
        self.filtered: npt.NDArray[np.float32] = np.zeros(shape, np.float32)
        self.own = [np.zeros(own_shape, np.float32), np.zeros(own_shape, np.float32)]
        self.shown = [np.zeros((box.rows, box.columns), np.float32) for _ in range(3)]
        self.directions = [np.zeros((box.cell_count, 2), np.float32) for _ in range(3)]
        self.side = 0  # which of the two strengths is current
        self._count = np.zeros(2, np.int64)  # of what the sources add; whether only what was pushed was added last
        self._source_arrays: list[npt.NDArray[Any]] = []
        self._progress = np.zeros(3, np.int64)
        self._job: SlicedJob | None = None
        self._slice = KeptCall(kernels.relax_slice)
        self._sequences: dict[tuple[int, int], Sequence] = {}
        self._reserve(64)

    @property
    def work(self) -> int:
        """Cells times sweeps of an update."""
        return self.filtered.size * self._settings.sweeps

    def _reserve(self, count: int) -> None:
        self._source_arrays = [np.zeros(count, kind) for kind in (np.int32, np.float32, np.float32, np.float32)]
        self._sequences = {}

    def take_sources(self, sources: SourceTable, type_number: int, pushes: Pushes) -> None:
        """Note what the sources add in each sweep of the next update.

        A repeller with a reach is gone round; in the field it would turn away whatever is nearer to it than to a target.
        """
        slots = sources.alive_slots(type_number)
        power = sources.values[POWER].take(slots)
        kept = (power > 0.0) | ((power < 0.0) & (sources.values[REACH].take(slots) == 0.0))
        slots, power = slots[kept], power[kept]
        points = np.empty((len(slots), 2), np.float32)
        points[:, 0], points[:, 1] = sources.values[SOURCE_X].take(slots), sources.values[SOURCE_Y].take(slots)
        if pushes:
            extra = np.array(pushes, dtype=np.float32)
            extra = extra[extra[:, 2] != 0.0]
            points, power = np.concatenate([points, extra[:, :2]]), np.concatenate([power, extra[:, 2]])
        if len(points) > len(self._source_arrays[0]):
            self._reserve(2 * len(points))
        count = self._count[0] = len(points)
        if count:
            self._count[1] = len(slots) == 0
        column, row = self._box.columns_and_rows(points)
        cell, amount, push_x, push_y = self._source_arrays
        cell[:count] = (row + self.pad) * self.filtered.shape[1] + column + self.pad
        with np.errstate(over="ignore"):  # what is too large is brought down to the most
            if self._settings.reading == "page":
                np.clip(power * np.float32(self._settings.gain), -_MOST, _MOST, out=amount[:count])
                return
            width, height = (np.float32(side) for side in self._box.cell_size)
            away_x = (points[:, 0] - np.float32(self._box.low[0])) / width - column.astype(np.float32) - np.float32(0.5)
            away_y = (points[:, 1] - np.float32(self._box.low[1])) / height - row.astype(np.float32) - np.float32(0.5)
            far = np.sqrt(away_x * away_x + away_y * away_y) + np.float32(1.0)
            for added, value in ((amount, far), (push_x, away_x), (push_y, away_y)):
                np.clip(value * power, -_MOST, _MOST, out=added[:count])

    def update(self) -> None:
        """Sweep, and fill the next frame; on all threads where it is large."""
        key = (self.side, id(self.shown[2]))
        if key not in self._sequences:
            self._sequences[key] = self._sequence()
        self._sequences[key].run()
        self.side = (self.side + self._settings.sweeps) % 2

    def _sequence(self) -> Sequence:
        chosen = self._settings
        lines, width = self.filtered.shape
        inner = np.array([lines - 2], np.int64)
        block = max(1, _CELLS_A_BLOCK // width)
        steps = []
        side = self.side
        for _ in range(chosen.sweeps):
            old, new = self.strength[side], self.strength[1 - side]
            relax = kernels.relax_rows.bind(old, new, self.filtered, chosen.share, chosen.decay, chosen.floor)
            steps.append(Step(relax, inner, block))
            steps.append(Step(kernels.inject.bind(new, *self.own, *self._source_arrays, self._count, chosen.decay)))
            side = 1 - side
        publish = kernels.publish_rows.bind(
            self.strength[side], self.filtered, *self.own, self.shown[2], self.directions[2].reshape(-1), self._count, self.pad,
            chosen.share, *self._box.cell_size, chosen.weakest,
        )  # fmt: skip
        steps.append(Step(publish, np.array([self._box.rows], np.int64), block))
        return Sequence(steps)

    def start_job(self) -> None:
        """The same on the background thread."""
        chosen = self._settings
        self._progress[:] = 0
        rows = max(1, _CELLS_A_SLICE // self.filtered.shape[1])
        call = self._slice.bound(
            self._progress, self.strength[self.side], self.strength[1 - self.side], self.filtered, *self.own,
            *self._source_arrays, self._count, self.shown[2], self.directions[2].reshape(-1), chosen.sweeps, rows, self.pad,
            chosen.share, chosen.decay, chosen.floor, *self._box.cell_size, chosen.weakest,
        )  # fmt: skip
        self._job = SlicedJob(call, self._progress, kernels.DONE)
        self._job.start()

    def finish_job(self) -> None:
        """Have the update done; its frame is published by ``publish``."""
        if self._job is not None:
            self._job.finish()
            self._job = None
            self.side = (self.side + self._settings.sweeps) % 2

    def publish(self) -> None:
        """The next frame becomes the last one, the last one the one before."""
        for frames in (self.shown, self.directions):
            frames[:] = [frames[2], frames[0], frames[1]]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All state, by name; the current strength first."""
        named: dict[str, npt.NDArray[Any]] = {"strength": self.strength[self.side], "filtered": self.filtered}
        named.update({"own_x": self.own[0], "own_y": self.own[1], "count": self._count})
        for index in range(3):
            named[f"shown_{index}"] = self.shown[index]
            named[f"directions_{index}"] = self.directions[index]
        return named

    def load(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        for name, own in self.arrays().items():
            own[...] = arrays[name].reshape(own.shape)
