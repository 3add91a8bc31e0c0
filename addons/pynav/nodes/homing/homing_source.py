"""What HomingSource2D and HomingSource3D share: one source of the grid that follows its node."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Color, GodotObject, export, is_editor, is_valid, signal

from ..telling import USER_ERRORS, tell
from .homing_member import HomingMember

_HIT = Color(1.0, 0.55, 0.35, 0.9)
_REPELLED = Color(0.55, 0.75, 1.0, 0.9)
_REACH = Color(0.75, 0.55, 1.0, 0.6)


class HomingSource(HomingMember, GodotObject, register=False):
    """Base of both source nodes."""

    hit = signal("Projectiles hit it in the last tick.", count=int)

    power: float = export(
        1.0,
        "Strength in the field: above 0 attracts, below 0 repels.",
        range=(-100.0, 100.0, 0.01, "or_greater", "or_less"),
        changed="_numbers_changed",
    )
    type: int = export(0, "Field that it acts on; projectiles of the same type see it.", range=(0, 7), changed="_kind_changed")
    disabled: bool = export(False, "Take it off the grid without removing the node.", changed="_kind_changed")
    dense_well: bool = export(
        False,
        "Make the well a space that is denser towards its middle, where everything slows down, instead of a spring that latches.",
        group="Well",
        changed="_kind_changed",
    )

    def __init__(self) -> None:
        super().__init__()
        self._handle: int | None = None

    def _numbers(self) -> dict[str, float]:
        return {
            "power": self.power, "radius": self.hit_radius, "reach": self.reach, "capture_radius": self.well_radius,
            "pull": self.well_pull,
        }  # fmt: skip

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        for name in ("hit_radius", "reach", "well_radius", "well_pull"):
            if not getattr(self, name) >= 0.0:
                found.append(f"`{name}` must be 0 or more, it is {getattr(self, name):g}: set it.")
        return found

    def _joined(self) -> None:
        self._grid._sources[id(self)] = self
        self._add()

    def _left(self) -> None:
        self._grid._sources.pop(id(self), None)
        self._remove()

    def _add(self) -> None:
        if self.disabled:
            return
        world = self._grid._need_world()
        place = self._grid._flat(self.global_position)
        (handle,) = world.add_sources([place], type=int(self.type), dense=self.dense_well, **self._numbers())
        self._handle = int(handle)
        self._grid._source_added(self._slot, self)

    def _remove(self) -> None:
        world, handle = self._grid._world, self._handle
        if handle is not None and world is not None and world.sources.is_alive(handle):
            world.remove_sources([handle])
            self._grid._source_of.pop(self._slot, None)
        self._handle = None

    @property
    def _slot(self) -> int:
        assert self._handle is not None
        return self._handle & 0xFFFFFFFF

    def _kind_changed(self) -> None:
        if self._grid is not None and is_valid(self._grid):
            self._remove()
            self._try(self._add)

    def _numbers_changed(self) -> None:
        if is_editor():
            self._show_in_editor()
        elif self._grid is not None and self._handle is not None:
            self._try(lambda: self._grid._world.change_sources([self._handle], **self._numbers()))

    def _try(self, work: Any) -> None:
        try:
            work()
        except USER_ERRORS as error:
            tell(self, error)

    def _in_editor(self) -> tuple[tuple[float, float], dict[str, Any]]:
        """Place on the grid and numbers, for the editor's preview."""
        return self._find_grid()._flat(self.global_position), {"type": int(self.type), **self._numbers()}

    def _show_in_editor(self) -> None:
        """A property changed."""
        raise NotImplementedError

    def _circles(self) -> list[tuple[float, Color]]:
        """What the editor draws round it: how near counts as a hit, how far it reaches, what a well holds."""
        found = [(self.hit_radius, _HIT if self.power > 0.0 else _REPELLED), (self.reach, _REACH), (self.well_radius, _REACH)]
        return [(radius, color) for radius, color in found if radius > 0.0]

    # --- the grid's news; its places are read by the grid, all in one call

    def _grid_rebuilt(self) -> None:
        self._handle = None
        self._try(self._add)

    def _restored(self) -> None:
        handle = self._handle
        if handle is None or not self._grid._world.sources.is_alive(handle):
            self._handle = None
            self._try(self._add)
