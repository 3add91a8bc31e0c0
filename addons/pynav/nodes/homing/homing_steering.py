"""What HomingSteering2D and HomingSteering3D share: a body of the game's own that the grid steers.

All bodies of a grid whose steering has the same properties are rows of one batch, see `homing_bodies.py`.
"""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, export, is_valid, method, signal

from ..telling import USER_ERRORS, tell
from .homing_bodies import HomingBodies
from .homing_flight import HomingFlight
from .homing_member import HomingMember


class HomingSteering(HomingMember, HomingFlight, GodotObject, register=False):
    """Base of both steering nodes."""

    hit = signal("The body hit this source (null if it is gone); it is steered no more until restart().", source=GodotObject)
    expired = signal("The body came to the end of its life; it is steered no more until restart().")
    caught = signal("A gravity well caught the body, and holds it from now on.")

    moves_body: bool = export(
        True, "Call move_and_slide() of a character body each tick; else its own script does.", changed="_moves_changed"
    )

    def __init__(self) -> None:
        super().__init__()
        self._group: HomingBodies | None = None
        self._handle = -1

    # --- the grid

    def _body_class(self, kind: str) -> str:
        """RigidBody or CharacterBody of this node's dimensions."""
        return kind + ("3D" if type(self).__name__.endswith("3D") else "2D")

    def _body(self) -> Any:
        """The node above, if it is a body that can be steered."""
        parent = self.get_parent()
        kinds = (self._body_class("RigidBody"), self._body_class("CharacterBody"))
        return parent if parent is not None and any(parent.is_class(kind) for kind in kinds) else None

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        if self._body() is None:
            rigid, character = self._body_class("RigidBody"), self._body_class("CharacterBody")
            found.append(f"Nothing to steer: put this node below a {rigid} or a {character}.")
        return found + self._flight_problems()

    def _joined(self) -> None:
        self._grid._bodies.nodes[id(self)] = self
        self._start()

    def _start(self) -> None:
        body = self._body()
        if body is None:
            return
        self._group = self._grid._bodies.group_of(self._flight(), body, body.is_class(self._body_class("RigidBody")))
        self._handle = self._group.add(self, body, self._grid._flat(body.global_position))

    def _stop(self) -> None:
        if self._group is not None and self._handle >= 0:
            self._group.drop(self._handle)
        self._ended()

    def _ended(self) -> None:
        """The body is steered no more."""
        self._handle, self._group = -1, None

    def _left(self) -> None:
        self._grid._bodies.nodes.pop(id(self), None)
        self._stop()

    def _flight_changed(self) -> None:
        if self._grid is not None and is_valid(self._grid) and self._handle >= 0:
            self.restart()

    def _moves_changed(self) -> None:
        if self._group is not None:
            self._group.set_moves(self._handle, self.moves_body)

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
        return self._group is not None and self._group.holds(self._handle)
