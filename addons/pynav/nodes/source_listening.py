"""How a map follows the TileMapLayer, GridMap or baked map that its costs may come from."""

from __future__ import annotations

from typing import Any, ClassVar

from addons.pynav.bridge import GodotObject, Rect2i, is_valid

from .telling import NodeError


class SourceListening(GodotObject, register=False):
    """Listens to the node in use, and only to it. What FlowFieldMap2D and FlowFieldMap3D name is taken from them."""

    LAYER: ClassVar[int]
    BAKED: ClassVar[int]
    baked_map: Any
    cost_source: Any
    region: Any
    _world: Any
    _source_is_due: bool
    _note_source_edit: Any
    _source_changed: Any
    _layer: Any

    def __init__(self) -> None:
        super().__init__()
        self._listened_to: Any = None

    def _enter_tree(self) -> None:
        if self._source_object() is not None:
            self._listen_to_source()
            if self._world is not None:
                self._source_is_due = True

    def _exit_tree(self) -> None:
        self._listen_to(None)

    def _source_node_changed(self) -> None:
        self._listen_to_source()
        self._source_changed()

    def _listen_to_source(self) -> None:
        if self.is_inside_tree():
            self._listen_to(self._source_object())

    def _source_object(self) -> Any:
        """The node or resource in use that says when it changes; None where the costs come from elsewhere, or it is gone."""
        source = int(self.cost_source)
        return self._layer() if source == self.LAYER else self.baked_map if source == self.BAKED else None

    def _listen_to(self, source: Any) -> None:
        """Hear when what is in use changes, and only that."""
        old = self._listened_to
        if old == source and is_valid(old):
            return
        if is_valid(old) and old.is_connected("changed", self._note_source_edit):
            old.disconnect("changed", self._note_source_edit)
        self._listened_to = source
        if source is not None:
            source.connect("changed", self._note_source_edit)

    def _wanted_region(self) -> tuple[int, int, int, int] | None:
        """The property's region of cells; None for all that are used."""
        region: Rect2i = self.region
        if region.size == (0, 0):
            return None
        (x, y), (columns, rows) = region
        if min(columns, rows) < 1:
            raise NodeError(f"the region must have 1 or more cells a side, got {columns} x {rows}")
        return x, y, columns, rows
