"""Where the marks of each map stand, kept with the project beside what its toolbar shows: the scene itself stays as it is."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import PackedInt32Array, singleton
from addons.pynav.nodes.debug_drawing import DrawnMap

_SECTION = "pynav_marks"
_NONE = -1  # for both numbers of a mark that nobody has placed


def _settings() -> Any:
    return singleton("EditorInterface").get_editor_settings()


def _name_of(node: Any) -> str:
    """What a map is kept under: its scene and its place in it; nothing in a scene that was never saved."""
    root = node.owner if node.owner is not None else node
    return f"{root.scene_file_path}::{root.get_path_to(node)}" if root.scene_file_path else ""


def keep_marks(drawn: DrawnMap) -> None:
    """Remember where a map's marks stand."""
    name = _name_of(drawn.node)
    if name:
        tiles = [tile or (_NONE, _NONE) for tile in (drawn.probe, *drawn.ends)]
        _settings().set_project_metadata(_SECTION, name, PackedInt32Array([number for tile in tiles for number in tile]))


def recall_marks(drawn: DrawnMap) -> None:
    """Put a map's marks where they stood the last time; those that lie outside by now are placed as if they were new."""
    name, grid = _name_of(drawn.node), drawn.grid()
    kept = list(_settings().get_project_metadata(_SECTION, name, PackedInt32Array())) if name else []
    if len(kept) != 6:
        return
    tiles = [(int(x), int(y)) if grid.contains(int(x), int(y)) else None for x, y in zip(kept[::2], kept[1::2], strict=True)]
    drawn.probe = tiles[0]
    if tiles[1] is not None and tiles[2] is not None:
        drawn.ends = tiles[1], tiles[2]
