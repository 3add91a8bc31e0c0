"""The multi-mesh that draws a crowd: its buffers, and handing them to the engine each tick.

The buffers are packed arrays that Python owns; a kernel fills them in place and the engine reads them, without a copy in
between. The
custom bounding box saves the engine from computing one over all instances each tick, which costs eight times the hand-over
itself.

With physics interpolation the engine wants two buffers, where each unit was a tick ago and where it is; they take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import AABB, PackedFloat32Array, Vector3, engine, prepare, singleton

from .tick_record import TickCost

Floats = npt.NDArray[np.float32]
Fill = Callable[[Floats, Floats | None], None]
_CUSTOM_FLOATS = 4
_GROWTH = 1.5


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
        self._has_custom_data = False
        self._is_interpolated = False
        self._capacity = 0
        self._shown = -1
        self._is_new = True  # nothing was drawn yet where units are now: no interpolation from there
        self._buffer = PackedFloat32Array()
        self._before = PackedFloat32Array()
        self._hand_over: Any = None
        self._hand_over_turns: list[Any] = []

    @property
    def floats(self) -> int:
        """Floats of one instance."""
        return self._transform_floats + (_CUSTOM_FLOATS if self._has_custom_data else 0)

    @property
    def has_custom_data(self) -> bool:
        """Whether each instance has four numbers for the shader."""
        return self._has_custom_data

    def set_custom_data(self, wanted: bool) -> None:
        """Give each instance four numbers for the shader, or take them away."""
        if wanted != self._has_custom_data:
            self._has_custom_data = wanted
            self.multimesh.instance_count = 0
            self.multimesh.use_custom_data = wanted
            self._capacity = 0

    def set_bounds(self, low: tuple[float, ...], high: tuple[float, ...]) -> None:
        """The box that holds all instances, in the node's local space (three numbers each)."""
        size = tuple(b - a for a, b in zip(low, high, strict=True))
        self.multimesh.custom_aabb = AABB(Vector3(*low), Vector3(*size))

    def restart(self) -> None:
        """Units were put elsewhere as a whole: don't interpolate from where they were."""
        self._is_new = True

    def draw(self, slots: int, interpolated: bool, fill: Fill, cost: TickCost) -> None:
        """Fill the buffer and hand it to the engine; the time of engine calls is added to the cost."""
        if slots > self._capacity or interpolated != self._is_interpolated:
            self._allocate(slots, interpolated)
        if slots != self._shown:
            self.multimesh.visible_instance_count = slots
            self._shown = slots
        if slots == 0:
            return
        used = slots * self.floats
        if not interpolated:
            fill(self._buffer.edit()[:used], None)
            before = time.perf_counter_ns()
            self._hand_over()
        else:
            self._buffer, self._before = self._before, self._buffer
            self._hand_over_turns.reverse()
            old = self._before.edit()[:used]
            new = self._buffer.edit()[:used]
            fill(new, old)
            if self._is_new:
                old[:] = new
            del old, new
            before = time.perf_counter_ns()
            self._hand_over_turns[0]()
        cost.engine += time.perf_counter_ns() - before
        self._is_new = False

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
        self._buffer = PackedFloat32Array(capacity * self.floats)
        self._before = PackedFloat32Array(capacity * self.floats if interpolated else 0)
        if interpolated != self._is_interpolated:
            self._server.multimesh_set_physics_interpolated(self._rid, interpolated)
            self._is_interpolated = interpolated
        if interpolated:
            name = "multimesh_set_buffer_interpolated"
            self._hand_over = None
            self._hand_over_turns = [
                prepare(self._server, name, self._rid, self._buffer, self._before),
                prepare(self._server, name, self._rid, self._before, self._buffer),
            ]
        else:
            self._hand_over = prepare(self._server, "multimesh_set_buffer", self._rid, self._buffer)
            self._hand_over_turns = []
