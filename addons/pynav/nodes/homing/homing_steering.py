"""What HomingSteering2D and HomingSteering3D share: a body of the game's own that the grid steers.

All bodies of a grid whose steering has the same properties are rows of one batch: a tick reads their places and velocities, steps
the batch once, and writes velocities back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, export, is_valid, method, signal
from pynav.homing import Hits, ProjectileBatch

from ..telling import USER_ERRORS, tell
from .homing_flight import HomingFlight
from .homing_member import HomingMember


class HomingSteering(HomingMember, HomingFlight, GodotObject, register=False):
    """Base of both steering nodes."""

    hit = signal("The body hit this source (null if it is gone); it is steered no more until restart().", source=GodotObject)
    expired = signal("The body came to the end of its life; it is steered no more until restart().")
    caught = signal("A gravity well caught the body, and holds it from now on.")

    moves_body: bool = export(True, "Call move_and_slide() of a character body each tick; else its own script does.")

    def __init__(self) -> None:
        super().__init__()
        self._batch: ProjectileBatch | None = None
        self._handle = -1
        self._slot = -1
        self._place: Any = None

    # --- what the subclasses say

    def _is_body(self, node: Any) -> bool:
        """Whether a node is a body that can be steered."""
        raise NotImplementedError

    def _flat_velocity(self, body: Any) -> tuple[float, float]:
        """Velocity of the body in the grid's plane."""
        raise NotImplementedError

    def _give_velocity(self, body: Any, x: float, y: float) -> None:
        raise NotImplementedError

    # --- the grid

    def _body(self) -> Any:
        parent = self.get_parent()
        return parent if parent is not None and self._is_body(parent) else None

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        if self._body() is None:
            kind = "3D" if type(self).__name__.endswith("3D") else "2D"
            found.append(f"Nothing to steer: put this node below a RigidBody{kind} or a CharacterBody{kind}.")
        return found + self._flight_problems()

    def _joined(self) -> None:
        self._grid._members.append(self)
        self._start()

    def _start(self) -> None:
        body = self._body()
        if body is None:
            return
        self._batch = self._grid._steering_batch(self._flight())
        place, velocity = self._grid._flat(body.global_position), self._flat_velocity(body)
        self._handle = int(self._batch.spawn([place], velocity)[0])
        self._slot = self._handle & 0xFFFFFFFF

    def _stop(self) -> None:
        if self._batch is not None and self._handle >= 0:
            self._batch.despawn([self._handle])
        self._handle = -1
        self._batch = None

    def _left(self) -> None:
        home = self._grid
        home._members = [member for member in home._members if member is not self]
        self._stop()

    def _flight_changed(self) -> None:
        if self._grid is not None and is_valid(self._grid) and self._handle >= 0:
            self._stop()
            try:
                self._start()
            except USER_ERRORS as error:
                tell(self, error)

    # --- the tick

    def _body_state(self) -> Any:
        body = self._body()
        if body is None or self._handle < 0:
            return None
        self._place = self._grid._flat(body.global_position)
        return self._batch, self._handle, self._place, self._flat_velocity(body)

    def _after_tick(self, delta: float) -> None:
        body, batch = self._body(), self._batch
        if body is None or batch is None or self._handle < 0 or self._place is None:
            return
        velocity = batch.body_velocity(self._slot, self._place, delta)
        if velocity is None:
            return
        self._give_velocity(body, *velocity)
        if self.moves_body and body.has_method("move_and_slide"):
            body.move_and_slide()

    def _happened(self, batch: ProjectileBatch, hits: Hits, sources: list[Any], caught: Hits, expired: Any) -> None:
        handle = self._handle
        if batch is not self._batch or handle < 0:
            return
        if handle in expired:
            self._handle = -1
            self.expired.emit()
        elif handle in hits.projectiles:
            self._handle = -1
            source = sources[int(np.flatnonzero(hits.projectiles == handle)[0])]
            self.hit.emit(source if source is not None and is_valid(source) else None)
        elif handle in caught.projectiles:
            self.caught.emit()

    def _grid_rebuilt(self) -> None:
        pass

    def _restored(self) -> None:
        if self._batch is not None and not any(other is self._batch for other in self._grid._world.batches):
            self._grid._world.take_projectiles(self._batch)

    @method
    def restart(self) -> None:
        """Steer the body from now on, with a whole life before it."""
        if self._grid is not None and is_valid(self._grid):
            self._stop()
            try:
                self._start()
            except USER_ERRORS as error:
                tell(self, error)

    @method(const=True)
    def is_steering(self) -> bool:
        """Whether the body is steered: from the start until it hits or expires."""
        return self._handle >= 0

    @method(const=True)
    def is_held(self) -> bool:
        """Whether a gravity well holds the body."""
        return self._batch is not None and self._handle >= 0 and bool(self._batch.held[self._slot])
