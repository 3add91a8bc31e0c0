"""What nodes share that stand on tiles of a map (obstacles, one-way tiles): covering tiles, following the node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Array, GodotObject, export, is_editor, is_valid, method

from .map_search import MapMember
from .place_watch import PlaceWatch
from .telling import USER_ERRORS, tell
from .tile_cover import covered_tiles


class Cover(NamedTuple):
    """Tiles under a node."""

    place: tuple[int, int]
    tiles: npt.NDArray[np.bool_]


class TileStanding(MapMember, GodotObject, register=False):
    """Base of the nodes that cover tiles of a map."""

    movement_classes: Array = export(
        [], "Names of the movement classes that it concerns; empty: all.", array_of=str, changed="_kind_changed"
    )
    disabled: bool = export(False, "Take it off the map without removing the node.", changed="_moved_or_not")

    def __init__(self) -> None:
        super().__init__()
        self._number: int | None = None  # of the obstacle in the map's world
        self._watch: PlaceWatch | None = None

    # --- what the subclasses say

    def _corners(self) -> npt.NDArray[np.float64]:
        """(n, 2) corners of the outline in the map's tile coordinates, convex, in order."""
        raise NotImplementedError

    def _lay_on(self, home: Any, cover: Cover, classes: list[str]) -> int:
        """Have the map take it in, or move it; its number there."""
        raise NotImplementedError

    def _show_in_editor(self) -> None:
        """A property changed: draw anew where there is something to draw."""

    def _outline(self) -> list[Any]:
        """Corners of the outline in the node's own space."""
        raise NotImplementedError

    # --- the map

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        corners = np.array([list(corner) for corner in self._outline()], dtype=np.float64)
        if min(np.sort(np.ptp(corners, axis=0))[-2:].tolist()) <= 0.0:
            found.append(
                f"This {self.WHAT} covers no tiles, its outline is empty: set `size` (or the circle's `radius`) above 0."
            )
        home = self._find_map()
        known = [] if home is None else home._class_names()
        for name in (str(wanted) for wanted in self.movement_classes):
            if home is not None and name not in known:
                found.append(f"The map has no movement class '{name}': add it there, or take it out of `movement_classes`.")
        return found

    def _ready(self) -> None:
        super()._ready()
        if not is_editor():
            self.connect("visibility_changed", self._moved_or_not)

    def _physics_process(self, delta: float) -> None:
        super()._physics_process(delta)
        if self._watch is not None and self._watch.moved():
            self._lay()

    def _is_usable(self, home: Any) -> bool:
        return home._world_or_none() is not None

    def _join(self, home: Any) -> None:
        self._watch = PlaceWatch(self, home)
        home._obstacle_nodes.append(self)
        self._moved_or_not()

    def _part(self, home: Any) -> None:
        number = self._number
        self._watch = self._number = None
        if home is None:
            return
        home._obstacle_nodes = [node for node in home._obstacle_nodes if node is not self]
        if number is not None:
            home._lift_obstacle(number)

    # --- the tiles

    def _lay(self) -> None:
        """Cover the tiles under the node, or none where it is hidden or disabled."""
        home = self._map
        if home is None or not is_valid(home):
            return
        try:
            cover = self._cover() if not self.disabled and self.is_visible_in_tree() else None
            if cover is None:
                if self._number is not None:
                    home._lift_obstacle(self._number)
                self._number = None
                return
            classes = [str(name) for name in self.movement_classes]
            self._number = self._lay_on(home, cover, classes)
        except USER_ERRORS as error:
            tell(self, error)

    def _lay_again(self) -> None:
        """The map was made anew, or put back to a saved state."""
        if self._watch is not None:
            self._watch.moved()
        self._lay()

    def _cover(self) -> Cover | None:
        left, top, tiles = covered_tiles(self._corners())
        return Cover((left, top), tiles) if tiles.any() else None

    def _moved_or_not(self) -> None:
        """Shown or hidden, enabled or disabled, or of another outline."""
        if self._watch is not None:
            self._lay()

    def _shape_changed(self) -> None:
        if is_editor():
            self.notify_property_list_changed()
            self._show_in_editor()
        self._moved_or_not()

    def _kind_changed(self) -> None:
        """It concerns others, or does something else: put it down anew."""
        if self._map is not None and is_valid(self._map) and self._number is not None:
            self._map._lift_obstacle(self._number)
            self._number = None
        self._moved_or_not()

    @method(const=True)
    def get_map_node(self) -> GodotObject | None:
        """The map on which it stands; null if it has none."""
        found: GodotObject | None = self._map if self._map is not None else self._find_map()
        return found

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())
