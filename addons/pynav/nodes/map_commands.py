"""Commands to any units of a map: what a map node and a UnitCommander have in common."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, PackedInt64Array, Vector2, Vector3, method
from pynav.crowd.crowd import Crowd

from .telling import NodeError, told

_DEFAULT_DISTANCE = -1.0
_DEFAULT_DISTANCE_TILES = 1.5


class MapCommands(GodotObject, register=False):
    """Base of both kinds. Units are named by handles; places and lengths are in the map's local space."""

    def _commanded_map(self) -> Any:
        """The map whose units are commanded; NodeError where there is none."""
        raise NotImplementedError

    def _commands(self) -> Any:
        return self._commanded_map()._need_world().commands

    def _tile_place(self, x: float, y: float) -> tuple[float, float]:
        found: tuple[float, float] = self._commanded_map()._plane.to_tile(x, y)
        return found

    def _tiles_away(self, distance: float) -> float:
        if distance == _DEFAULT_DISTANCE:
            return _DEFAULT_DISTANCE_TILES
        return distance / float(self._commanded_map()._plane.tile_length)

    def _own_crowd(self, crowd: GodotObject | None, what: str) -> Crowd:
        """The agents of a crowd node of the map; NodeError for any other node."""
        home: Any = self._commanded_map()
        home._need_world()
        node: Any = crowd
        if node is None or not any(node is other for other in home._crowds):
            raise NodeError(f"{what} needs a crowd of the map")
        found: Crowd = node._need_agents()
        return found

    def _send(self, units: PackedInt64Array, x: float, y: float, queued: bool) -> int:
        return int(self._commands().move(units.view(), self._tile_place(x, y), queued=queued))

    def _send_to_attack(self, units: PackedInt64Array, x: float, y: float, queued: bool) -> int:
        return int(self._commands().attack_move(units.view(), self._tile_place(x, y), queued=queued))

    def _send_to_and_fro(self, units: PackedInt64Array, x: float, y: float, queued: bool, attacks: bool) -> int:
        return int(self._commands().patrol(units.view(), self._tile_place(x, y), queued=queued, attacks=attacks))

    @method
    @told
    def command_hold(self, units: PackedInt64Array, yields: bool = False, queued: bool = False) -> int:
        """Have units stand where they are. Unless they yield, nobody pushes them aside: a line of them closes a passage."""
        return int(self._commands().hold(units.view(), yields=yields, queued=queued))

    @method
    @told
    def command_guard(self, units: PackedInt64Array, queued: bool = False) -> int:
        """Have units stand and go for enemies that they notice, as on an attack-move; who has none left stands where that leaves
        it.
        """
        return int(self._commands().guard(units.view(), queued=queued))

    @method
    @told
    def command_stop(self, units: PackedInt64Array) -> int:
        """Have units forget all orders and stand; who has to pass may push them aside."""
        return int(self._commands().stop(units.view()))

    @method
    @told
    def command_follow(self, units: PackedInt64Array, target: int, distance: float = -1.0, queued: bool = False) -> int:
        """Have units go after another one and stay within a distance of it (-1: one and a half tiles). Once it is gone they go
        to where it was last, and on with their queue.
        """
        return int(self._commands().follow(units.view(), target, distance=self._tiles_away(distance), queued=queued))

    @method
    @told
    def command_follow_crowd(
        self, units: PackedInt64Array, crowd: GodotObject | None, distance: float = -1.0, queued: bool = False
    ) -> int:
        """Have units go after the middle of a crowd; else as command_follow()."""
        agents = self._own_crowd(crowd, "command_follow_crowd")
        return int(self._commands().follow(units.view(), agents, distance=self._tiles_away(distance), queued=queued))

    @method(const=True)
    @told
    def get_engaged_units(self) -> PackedInt64Array:
        """Units that stand before an enemy within their range, by an attack-move: those who strike in this tick, if the game lets
        them. In the order of crowds and ids. get_unit_targets() of them tells whom they strike.
        """
        return PackedInt64Array(self._commands().engaged()[0])

    @method(const=True)
    @told
    def get_unit_targets(self, units: PackedInt64Array) -> PackedInt64Array:
        """The enemy, a unit or a building, that each of some units goes for or strikes, in their order; 0 for none."""
        if not len(units.view()):
            return PackedInt64Array()
        return PackedInt64Array(self._commands().foes_of(units.view()))

    @method
    @told
    def release_units(self, units: PackedInt64Array) -> bool:
        """Have units do what their crowd was told (its goal), or stand where that is nothing. False if that was refused."""
        self._commands().release(units.view())
        return True


class MapCommands2D(MapCommands, GodotObject, register=False):
    """Commands to places of a 2D map."""

    @method
    @told
    def command_move(self, units: PackedInt64Array, to: Vector2, queued: bool = False) -> int:
        """Have units go to a place and stop there, the later ones around the first; with queued after what they were told before.
        Where it can't be reached, they go to the nearest place that can. Returns the command; 0 if it was refused.
        """
        return self._send(units, to.x, to.y, queued)

    @method
    @told
    def command_attack_move(self, units: PackedInt64Array, to: Vector2, queued: bool = False) -> int:
        """Have units go to a place, and on the way and there for enemies that they notice (the crowds' sight_radius, team and
        enemy_teams), buildings too (add_building() of the map). Before one within their attack_range they stand, engaged; once it
        is gone they take the next one, or their way again. Damage is the game's: get_engaged_units() and
        get_unit_targets() tell who strikes whom.
        """
        return self._send_to_attack(units, to.x, to.y, queued)

    @method
    @told
    def command_patrol(self, units: PackedInt64Array, to: Vector2, queued: bool = False, attacks: bool = False) -> int:
        """Have units go to and fro between a place and where their middle is now, or, if it is queued, where they were sent
        last. With attacks they go for enemies that they notice, as on an attack-move, and on with their way after. A command
        that is queued behind a patrol ends it at the next end of its way.
        """
        return self._send_to_and_fro(units, to.x, to.y, queued, attacks)


class MapCommands3D(MapCommands, GodotObject, register=False):
    """Commands to places of a 3D map; heights don't count."""

    @method
    @told
    def command_move(self, units: PackedInt64Array, to: Vector3, queued: bool = False) -> int:
        """Have units go to a place and stop there, the later ones around the first; with queued after what they were told before.
        Where it can't be reached, they go to the nearest place that can. Returns the command; 0 if it was refused.
        """
        return self._send(units, to.x, to.z, queued)

    @method
    @told
    def command_attack_move(self, units: PackedInt64Array, to: Vector3, queued: bool = False) -> int:
        """Have units go to a place, and on the way and there for enemies that they notice (the crowds' sight_radius, team and
        enemy_teams), buildings too (add_building() of the map). Before one within their attack_range they stand, engaged; once it
        is gone they take the next one, or their way again. Damage is the game's: get_engaged_units() and
        get_unit_targets() tell who strikes whom.
        """
        return self._send_to_attack(units, to.x, to.z, queued)

    @method
    @told
    def command_patrol(self, units: PackedInt64Array, to: Vector3, queued: bool = False, attacks: bool = False) -> int:
        """Have units go to and fro between a place and where their middle is now, or, if it is queued, where they were sent
        last. With attacks they go for enemies that they notice, as on an attack-move, and on with their way after. A command
        that is queued behind a patrol ends it at the next end of its way.
        """
        return self._send_to_and_fro(units, to.x, to.z, queued, attacks)
