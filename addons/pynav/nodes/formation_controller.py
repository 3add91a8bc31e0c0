"""What FormationController2D and FormationController3D share: orders, the preview of a drag, signals, what is drawn."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, GodotObject, PackedInt32Array, PackedInt64Array, export, is_valid, method, signal
from pynav.formations import DragGrid, FormationEvent, FormationSlots, OrderedFormation, Rank
from pynav.formations.modes import MODES

from .formation_markers import FormationShow, SlotShow
from .live_figures import FormationLiveFigures, hide_in_editor
from .map_search import MapMember
from .telling import NodeError, label, told

Points = npt.NDArray[np.float32]
LEAST_SPACING_TILES, MOST_SPACING_TILES = 0.02, 8.0
_SPACING_STEP = 1.15


class FormationController(FormationLiveFigures, MapMember, GodotObject, register=False):
    """Base of both controllers."""

    WHAT: ClassVar[str] = "controller"

    class Mode(IntEnum):
        """How units go to their places.

        RUN: Each runs to the destination and forms up there.
        MARCH: They form up and keep their places on the way, as fast as the slowest of them; through passages files fall in
            behind one another and come out in order.
        RETREAT: The same with the last row first, while everybody looks to where the formation faces.
        """

        RUN = 0
        MARCH = 1
        RETREAT = 2

    formation_assigned = signal("The units of a formation know their slots.", formation=int)
    formation_arrived = signal("A march has arrived; its units go to their slots.", formation=int)
    formation_formed = signal("Every unit stands in its slot.", formation=int)
    formation_unformed = signal(
        "A formation that stood is incomplete again: somebody was pushed out, or steps up for one who died.", formation=int
    )
    formation_broken = signal("A formation is no more: its units got another order, were dismissed, or are dead.", formation=int)
    units_dropped = signal(
        "So many units of a march more than before can't keep up: the others don't wait for them until they have caught up.",
        formation=int,
        count=int,
    )

    row_priorities: PackedInt32Array = export(
        None,
        "Row priority of each of the crowds, in their order: those with the lowest stand in front, those with the same share "
        "rows. Crowds beyond the end get 1, 2, 3 ... by their order.",
        group="Formation",
    )
    mode: Mode = export(Mode.RUN, "How units go to their places when order() is called without a mode.", group="Formation")
    show_preview: bool = export(
        True, "Draw the slots that preview() gives: a marker each, and where the formation will look.", group="Look"
    )
    debug_draw: bool = export(
        False,
        "Draw the places of its formations as they march, in a colour for each cluster and faint where somebody is missing, the "
        "slots that they go to, a star over each leader, and a red cross on slots that are cut off.",
        group="Look",
        changed="_look_changed",
    )
    preview_color: Color = export(
        Color(0.55, 0.85, 1.0, 0.9), "Colour of the first row class in the preview; the others differ in hue.", group="Look",
        changed="_look_changed",
    )  # fmt: skip

    crowds: Any
    spacing: float
    least_speed: float

    def __init__(self) -> None:
        super().__init__()
        self._world: Any = None
        self._chosen: dict[int, list[int]] = {}  # ids by the instance id of their crowd
        self._numbers: list[int] = []
        self._dropped: dict[int, int] = {}
        self._show: SlotShow | None = None
        self._debug_show: FormationShow | None = None

    def validate_property(self, info: Any) -> None:
        """Figures are for running games."""
        hide_in_editor(info)

    # --- what the subclasses say

    def _is_own_crowd(self, node: Any) -> bool:
        raise NotImplementedError

    def _tile_of(self, place: Any) -> tuple[float, float]:
        """Tile coordinates of a place in the map's local space."""
        raise NotImplementedError

    def _places(self, tiles: Points) -> Any:
        """Tile coordinates as a packed array of places in the map's local space."""
        raise NotImplementedError

    def _is_flat(self) -> bool:
        """Whether the map is a 2D one."""
        raise NotImplementedError

    # --- the map

    def _join(self, home: Any) -> None:
        home._formation_controllers.append(self)

    def _part(self, home: Any) -> None:
        for show in (self._show, self._debug_show):
            if show is not None:
                show.free()
        self._show = self._debug_show = None
        if home is not None:
            home._formation_controllers = [node for node in home._formation_controllers if node is not self]

    def _need_map(self) -> Any:
        home = self._joined_map()
        world = home._need_world()
        if world is not self._world:  # made anew: its formations are gone
            self._world = world
            self._numbers = [found.number for found in world.formations.formations if found.number in self._numbers]
        return home

    # --- who

    def _crowd_nodes(self) -> list[Any]:
        home = self._need_map()
        given = [node for node in self.crowds if node is not None and is_valid(node)]
        wrong = [node for node in given if not self._is_own_crowd(node)]
        if wrong:
            raise NodeError(f"expected crowds of the map, got {label(wrong[0])}")
        return given or [node for node in home._crowds if self._is_own_crowd(node)]

    def _ranks(self) -> list[Rank]:
        """The units that are chosen, with their row priorities."""
        found = []
        priorities = self.row_priorities.to_list()
        for index, node in enumerate(self._crowd_nodes()):
            agents = node._agents
            if agents is None or agents.count == 0:
                continue
            ids = None
            if self._chosen:
                chosen = np.array(self._chosen.get(node.get_instance_id(), []), np.int64)
                chosen = chosen[(chosen >= 0) & (chosen < agents.slot_count)]
                ids = chosen[agents.alive[chosen]]
                if len(ids) == 0:
                    continue
            found.append(Rank(agents.index, priorities[index] if index < len(priorities) else index + 1, ids))
        if not found:
            raise NodeError("there is no unit to order: the crowds are empty, or none of those that were set is alive")
        return found

    @method
    @told
    def set_units(self, crowd: GodotObject | None, ids: PackedInt32Array) -> None:
        """Have only these agents of a crowd be ordered, and of the other crowds those that were set for them. Dead ones are
        passed over.
        """
        if crowd is None or not self._is_own_crowd(crowd):
            raise NodeError("set_units needs a crowd of the map")
        self._chosen[crowd.get_instance_id()] = sorted(set(ids.to_list()))

    @method
    def clear_units(self) -> None:
        """Have all agents of the crowds be ordered again."""
        self._chosen.clear()

    # --- where

    def _grid(self, start: Any, end: Any) -> DragGrid:
        first, last = self._tile_of(start), self._tile_of(end)
        if self._map._plane.determinant < 0.0:  # a mirrored map: left and right change
            first, last = last, first
        return DragGrid.from_drag(first, last, self._spacing_tiles())

    def _spacing_tiles(self) -> float:
        found = self.spacing / self._map._plane.tile_length
        return float(min(max(found, LEAST_SPACING_TILES), MOST_SPACING_TILES))

    @method
    def change_spacing(self, steps: int) -> float:
        """Move the units so many steps of the mouse wheel farther apart, or together if it is negative; the spacing then."""
        self.spacing = float(self.spacing * _SPACING_STEP**steps)
        if self._map is not None and is_valid(self._map):
            self.spacing = self._spacing_tiles() * self._map._plane.tile_length
        return self.spacing

    def _previewed(self, start: Any, end: Any) -> FormationSlots:
        self._need_map()
        slots: FormationSlots = self._world.formations.preview(self._ranks(), self._grid(start, end))
        if self.show_preview:
            if self._show is None:
                self._show = SlotShow(self._map, self._is_flat())
            self._show.show(slots, self._map._plane, self.preview_color)
        return slots

    @method
    def clear_preview(self) -> None:
        """Take away what preview() draws."""
        if self._show is not None:
            self._show.hide()

    def _ordered(self, grid: DragGrid, mode: int) -> int:
        if not -1 <= mode < len(MODES):
            raise NodeError(f"a mode is RUN 0, MARCH 1 or RETREAT 2, got {mode}")
        chosen = MODES[int(self.mode) if mode < 0 else mode]
        least = max(self.least_speed, 0.0) / self._map._plane.tile_length
        found = self._world.formations.order(self._ranks(), grid, chosen, least)
        self._numbers.append(found.number)
        self.clear_preview()
        return int(found.number)

    # --- what became of them

    def _formation(self, number: int) -> OrderedFormation:
        self._need_map()
        for found in self._world.formations.formations:
            if found.number == number:
                return found  # type: ignore[no-any-return]
        raise NodeError(f"there is no formation {number}")

    @method
    @told
    def dismiss(self, formation: int) -> bool:
        """Let the units of a formation go: they keep walking to the place, without slots. False if there is none of that
        number.
        """
        self._formation(formation).dismiss()
        return True

    @method(const=True)
    def get_formations(self) -> PackedInt32Array:
        """Numbers of the formations that were ordered here and still are, in the order of their orders."""
        if self._world is None:
            return PackedInt32Array()
        present = {found.number for found in self._world.formations.formations}
        return PackedInt32Array(np.array([number for number in self._numbers if number in present], np.int32))

    @method(const=True)
    @told
    def is_formed(self, formation: int) -> bool:
        """Whether every unit of a formation stands in its slot."""
        return self._formation(formation).is_formed

    @method(const=True)
    @told
    def is_marching(self, formation: int) -> bool:
        """Whether a formation is on the march: not yet there, and not yet breaking up into its slots."""
        return self._formation(formation).is_marching

    @method(const=True)
    @told
    def get_unit_count(self, formation: int) -> int:
        """Units of a formation that are alive, as counted a moment ago."""
        return self._formation(formation).unit_count

    @method(const=True)
    @told
    def get_dropped_count(self, formation: int) -> int:
        """Units of a march that can't keep up and are not waited for."""
        return self._formation(formation).dropped_count

    @method(const=True)
    @told
    def get_owners(self, formation: int) -> PackedInt32Array:
        """Who has which slot, slot by slot from the front: index of the crowd among get_crowd_nodes() and the agent's id, in
        turn; -1 and -1 for an empty slot. Empty before the slots are assigned.
        """
        found = self._formation(formation).owners
        nodes = {node._agents.index: place for place, node in enumerate(self._crowd_nodes()) if node._agents is not None}
        owners = [(nodes.get(crowd, -1), number) if number >= 0 else (-1, -1) for crowd, number in found.tolist()]
        return PackedInt32Array(np.array(owners, np.int32).reshape(-1))

    @method(const=True)
    @told
    def get_cluster_sizes(self, formation: int) -> PackedInt32Array:
        """How many units march together in each cluster, as counted a moment ago. Units that were spread over the map when a
        march was ordered go in clusters, which merge where they meet; a march of units that stood together is one cluster.
        In the order in which they set off; empty while the formation doesn't march.
        """
        return PackedInt32Array(np.array([march.unit_count for march in self._formation(formation).marches], np.int32))

    @method(const=True)
    @told
    def get_cluster_leaders(self, formation: int) -> PackedInt64Array:
        """The handle of the unit that leads each cluster of get_cluster_sizes(), as FlowFieldCrowd2D, UnitCommander2D and the
        commands of a map name units: the one in the middle. When it dies another one leads with the next tick.
        """
        units = np.array([march.leader_unit for march in self._formation(formation).marches], np.int32).reshape(-1, 2)
        handles = np.zeros(len(units), np.int64)
        is_led = units[:, 0] >= 0
        handles[is_led] = self._world.unit_index.handles_of(units[is_led, 0], units[is_led, 1])
        return PackedInt64Array(handles)

    @method(const=True)
    @told
    def get_cluster_of_slots(self, formation: int) -> PackedInt32Array:
        """In which cluster of get_cluster_sizes() the unit of each slot marches, slot by slot from the front; -1 for a unit that
        goes to its slot by itself and for an empty slot. Empty before the slots are assigned.
        """
        return PackedInt32Array(self._formation(formation).march_of_slots)

    @method(const=True)
    @told
    def get_cut_off_slots(self, formation: int) -> PackedInt32Array:
        """The slots for which there is no ground that their units could stand on, as places in get_slots(); their units go as
        near as they can.
        """
        slots = self._formation(formation).slots
        return PackedInt32Array() if slots is None else PackedInt32Array(np.flatnonzero(slots.is_cut_off).astype(np.int32))

    @method(const=True)
    @told
    def get_crowd_nodes(self) -> list[Any]:
        """The crowds whose agents are ordered: those of `crowds`, or all of the map."""
        return self._crowd_nodes()

    # --- after each tick of the map

    def _after_formations(self, events: list[FormationEvent]) -> None:
        for event in events:
            number = event.formation.number
            if number not in self._numbers:
                continue
            if event.what == "broken":
                self._numbers.remove(number)
                self._dropped.pop(number, None)
            getattr(self, f"formation_{event.what}").emit(number)
        for found in self._map._world.formations.formations:
            if found.number in self._numbers:
                dropped, before = found.dropped_count, self._dropped.get(found.number, 0)
                self._dropped[found.number] = dropped
                if dropped > before:
                    self.units_dropped.emit(found.number, dropped - before)
        if self.debug_draw:
            if self._debug_show is None:
                self._debug_show = FormationShow(self._map, self._is_flat())
            own = [found for found in self._map._world.formations.formations if found.number in self._numbers]
            self._debug_show.show(self._map._world, own, self._map._plane, self.preview_color)

    def _look_changed(self) -> None:
        if not self.debug_draw and self._debug_show is not None:
            self._debug_show.hide()
