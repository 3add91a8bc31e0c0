"""The multi-mesh that draws a crowd: its buffers, and handing them to the engine each tick.

The buffers are packed arrays that Python owns; a kernel fills them in place and the engine reads them, without a copy in
between. The filling is bound once and bound anew only when where it goes or what it draws has changed. The custom bounding box
saves the engine from computing one over all instances each tick, which costs eight times the hand-over itself.

With physics interpolation the engine wants two buffers, where each unit was a tick ago and where it is; they take turns.

Units that are drawn in the order of their y are filled by id into memory of ours first, two pieces of it with interpolation.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import AABB, PackedFloat32Array, Vector3, engine, prepare, singleton
from pynav.crowd.y_order import YOrder

from .tick_record import TickCost

Floats = npt.NDArray[np.float32]
Bind = Callable[[Floats, Floats | None], Any]  # gives something with run()
_COLOR_FLOATS = 4
_CUSTOM_FLOATS = 4
_GROWTH = 1.5
_MOST_FILLINGS = 4


class _Storage:
    """Floats at an address, for numpy; whoever asks for them sees to it that they stay."""

    def __init__(self, address: int, length: int) -> None:
        self.__array_interface__ = {"version": 3, "typestr": "<f4", "shape": (length,), "data": (address, False)}


@dataclass(frozen=True)
class _Filling:
    runs: tuple[Callable[[], None], ...]
    copies: tuple[tuple[Floats, Floats], ...]  # from where units are to where they were: what is not to be interpolated

    def forget_previous(self) -> None:
        for now, previous in self.copies:
            previous[:] = now


class InstanceDrawing:
    """Buffers and multi-mesh of one crowd; `transform_floats` is 8 in 2D, 12 in 3D."""

    def __init__(self, transform_floats: int) -> None:
        self.multimesh = engine.MultiMesh()
        self.multimesh.transform_format = (
            engine.MultiMesh.TRANSFORM_2D if transform_floats == 8 else engine.MultiMesh.TRANSFORM_3D
        )
        self._rid = self.multimesh.get_rid()
        self._server = singleton("RenderingServer")
        self._transform_floats = transform_floats
        self._has_colors = False
        self._has_custom_data = False
        self._is_interpolated = False
        self._is_sorted = False
        self._side = 0  # which of the two buffers units are drawn from, with interpolation
        self._by_id: list[Floats] = []
        self._capacity = 0
        self._shown = -1
        self._is_new = True  # nothing was drawn yet where units are now: no interpolation from there
        self._buffer = PackedFloat32Array()
        self._before = PackedFloat32Array()
        self._hand_over_turns: list[Any] = []  # prepared calls; with interpolation two, for the buffers take turns
        self._fillings: dict[tuple[int, int, int], _Filling] = {}
        self._bound_for: tuple[Any, Any] = (None, None)

    @property
    def floats(self) -> int:
        """Floats of one instance."""
        return self._transform_floats + _COLOR_FLOATS * self._has_colors + _CUSTOM_FLOATS * self._has_custom_data

    def set_layout(self, colors: bool, custom: bool, y_sorted: bool = False) -> None:
        """Whether each instance has a colour, and four numbers for the shader; whether they are in the order of their y (2D)."""
        wanted = (colors, custom, y_sorted)
        if wanted != (self._has_colors, self._has_custom_data, self._is_sorted):
            self._has_colors, self._has_custom_data, self._is_sorted = wanted
            self.multimesh.instance_count = 0
            self.multimesh.use_colors = colors
            self.multimesh.use_custom_data = custom
            self._capacity = 0

    def set_bounds(self, low: tuple[float, ...], high: tuple[float, ...]) -> None:
        """The box that holds all instances, in the node's local space (three numbers each)."""
        size = tuple(b - a for a, b in zip(low, high, strict=True))
        self.multimesh.custom_aabb = AABB(Vector3(*low), Vector3(*size))

    def restart(self) -> None:
        """Units were put elsewhere as a whole: don't interpolate from where they were."""
        self._is_new = True

    def forget_fillings(self) -> None:
        """How units look has changed: bind the filling anew."""
        self._fillings.clear()

    def draw(self, slots: int, interpolated: bool, agents: Any, place: Any, bind: Bind, cost: TickCost) -> None:
        """Fill the buffer and hand it to the engine; the time of engine calls is added to the cost.

        The filling is bound anew (by ``bind``) if ``agents`` or ``place`` is another object than last time.
        """
        if slots > self._capacity or interpolated != self._is_interpolated:
            self._allocate(slots, interpolated)
        if slots != self._shown:
            self.multimesh.visible_instance_count = slots
            self._shown = slots
            self._fillings.clear()
        if slots == 0:
            return
        if interpolated:
            self._buffer, self._before = self._before, self._buffer
            self._side = 1 - self._side
            self._hand_over_turns.reverse()
        filling = self._filling(agents, place, bind)
        for run in filling.runs:
            run()
        if self._is_new:
            filling.forget_previous()
        before = time.perf_counter_ns()
        self._hand_over_turns[0]()
        cost.engine += time.perf_counter_ns() - before
        self._is_new = False

    def _filling(self, agents: Any, place: Any, bind: Bind) -> _Filling:
        """The filling of the buffers where they lie now."""
        if self._bound_for[0] is not agents or self._bound_for[1] is not place or len(self._fillings) > _MOST_FILLINGS:
            self._bound_for = (agents, place)
            self._fillings.clear()
        where = (self._buffer.edit_address(), self._before.edit_address() if self._is_interpolated else 0, self._side)
        found = self._fillings.get(where)
        if found is None:
            length = self._shown * self.floats
            buffer = np.asarray(_Storage(where[0], length))
            previous = np.asarray(_Storage(where[1], length)) if where[1] else None
            found = self._fillings[where] = self._bound(buffer, previous, bind)
        return found

    def _bound(self, buffer: Floats, previous: Floats | None, bind: Bind) -> _Filling:
        copies = () if previous is None else ((buffer, previous),)
        if not self._is_sorted:
            return _Filling((bind(buffer, previous).run,), copies)
        now = self._by_id[self._side][: len(buffer)]
        if previous is None:
            return _Filling((bind(now, None).run, YOrder(self.floats, now, buffer).run), ())
        before = self._by_id[1 - self._side][: len(buffer)]
        order = YOrder(self.floats, now, buffer, before, previous)
        return _Filling((bind(now, before).run, order.run), (*copies, (now, before)))

    def _allocate(self, slots: int, interpolated: bool) -> None:
        # The first time exactly as many as there are; a crowd that grows later is likely to go on growing.
        capacity = (
            slots
            if self._capacity == 0
            else max(slots, int(self._capacity * _GROWTH))
            if slots > self._capacity
            else self._capacity
        )
        self.multimesh.instance_count = capacity
        self._capacity = capacity
        self._shown = -1
        self._is_new = True
        self._fillings.clear()
        self._buffer = PackedFloat32Array(capacity * self.floats)
        self._before = PackedFloat32Array(capacity * self.floats if interpolated else 0)
        self._side = 0
        pieces = (2 if interpolated else 1) if self._is_sorted else 0
        self._by_id = [np.zeros(capacity * self.floats, dtype=np.float32) for _ in range(pieces)]
        if interpolated != self._is_interpolated:
            self._server.multimesh_set_physics_interpolated(self._rid, interpolated)
            self._is_interpolated = interpolated
        if interpolated:
            name = "multimesh_set_buffer_interpolated"
            self._hand_over_turns = [
                prepare(self._server, name, self._rid, self._buffer, self._before),
                prepare(self._server, name, self._rid, self._before, self._buffer),
            ]
        else:
            self._hand_over_turns = [prepare(self._server, "multimesh_set_buffer", self._rid, self._buffer)]
