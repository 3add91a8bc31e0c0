"""The resource that says what each kind of terrain costs a class of units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from addons.pynav.bridge import Dictionary, GodotObject, export
from pynav.grid.movement_class import KIND_COUNT, PLAIN, MovementClass

from .telling import NodeError


class FlowFieldMovementClass(GodotObject, base="Resource", icon="res://addons/pynav/icons/flow_field_movement_class.svg"):
    """What each kind of terrain costs a class of units: ground troops, boats, flyers.

    Put one for each class into the movement_classes of a FlowFieldMap2D or FlowFieldMap3D, and name it in the movement_class of
    the crowds. From then on the numbers of the map's tiles (custom data of a TileMapLayer, set_terrain_rect(), ...) are kinds of
    terrain, and this says what each kind costs the class.
    """

    name: str = export("", "What crowds and queries call the class.")
    terrain_costs: Dictionary = export(
        {},
        "Cost of each kind of terrain: kind (0 to 255) to cost, 0 (solid) to 255. Empty, with an Other Cost of 0: each kind is "
        "its own cost.",
    )
    other_cost: int = export(
        0, "Cost of the kinds that are missing in Terrain Costs; 0 is solid. For flyers 1, and no Terrain Costs.", range=(0, 255)
    )


def core_classes(resources: Sequence[Any]) -> tuple[MovementClass, ...]:
    """The classes of a map's property as the core takes them; one plain class if there are none.

    Raises
    ------
    NodeError, GridError
        An empty place in the list, no or no valid names, or costs out of range.
    """
    if not resources:
        return (PLAIN,)
    found = []
    for place, resource in enumerate(resources):
        if not isinstance(resource, FlowFieldMovementClass):
            raise NodeError(f"movement_classes: place {place} holds no FlowFieldMovementClass, got {resource!r}")
        if not resource.name:
            raise NodeError(f"movement_classes: the class at place {place} has no name: set its `name`")
        costs = resource.terrain_costs.to_dict()
        if not costs and resource.other_cost == 0:
            found.append(MovementClass(resource.name))
            continue
        whole = {_whole(kind): _whole(cost) for kind, cost in costs.items()}
        for kind in whole:
            if not isinstance(kind, int) or not 0 <= kind < KIND_COUNT:
                raise NodeError(f"movement class '{resource.name}': a kind of terrain is 0 to 255, got {kind!r}")
        others = dict.fromkeys(range(KIND_COUNT), max(0, min(resource.other_cost, 255)))
        found.append(MovementClass(resource.name, {**others, **whole}))
    return tuple(found)


def _whole(value: Any) -> Any:
    """A number without a fraction as an int, anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
