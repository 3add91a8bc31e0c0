"""The properties of a map node that say where its costs come from, as far as both planes share them."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from addons.pynav.bridge import GodotObject, Vector2i, export

from .baked_map import FlowFieldBakedMap


class MapSource(GodotObject, register=False):
    """Properties of the sources; which are shown is said by the map's `validate_property`."""

    class GeneratorKind(IntEnum):
        """Kinds of generated maps.

        CAVERNS: Caves with narrow passages.
        ROOMS: Rooms that doors connect.
        CITY: Blocks of houses, streets and squares.
        KEEP: Open land round a walled keep.
        """

        CAVERNS = 0
        ROOMS = 1
        CITY = 2
        KEEP = 3

    size: Vector2i = export(
        Vector2i(64, 64),
        "Tiles in x and y, for maps from code and from the generator (48 to 8,192 a side there). Other sources bring "
        "their own size: see get_map_size().",
        changed="_source_changed",
    )
    fill_cost: int = export(
        1,
        "Cost of every tile of a map from code at its start: 0 is solid, 1 the cheapest, 255 the dearest.",
        range=(0, 255),
        changed="_source_changed",
    )
    cost_image: Annotated[GodotObject, "Resource"] | None = export(
        None,
        "One pixel a tile: black and transparent are solid, white costs 1, the darker the dearer.",
        resource="Texture2D,Image",
        changed="_source_changed",
    )
    map_file: str = export(
        "",
        "Octile .map file (the format of the Moving AI benchmarks), in the project or anywhere on disk.",
        file="*.map",
        changed="_source_changed",
    )
    baked_map: FlowFieldBakedMap | None = export(
        None,
        "Costs that were painted in the editor, or baked from another source; saved in the scene, or in a file of its own.",
        changed="_source_node_changed",
    )
    generator_kind: GeneratorKind = export(GeneratorKind.CAVERNS, "What kind of map is generated.", changed="_source_changed")
    generator_seed: int = export(0, "The same kind, size and seed give the same map on every machine.", changed="_source_changed")
