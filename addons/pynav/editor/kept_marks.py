"""Where the marks of each map stand, kept with the project beside what its toolbar shows: the scene itself stays as it is."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import PackedInt32Array, singleton
from addons.pynav.nodes.debug_drawing import DrawnMap, drawn_maps

_SECTION = "pynav_marks"
_NONE = -1  # for both numbers of a mark that nobody has placed


def _settings() -> Any:
    return singleton("EditorInterface").get_editor_settings()


def _name_of(node: Any, scene_path: str = "") -> str:
    """What a map is kept under: its scene and its place in it; nothing in a scene that was never saved, until it is."""
    root = _root_of(node)
    path = scene_path or root.scene_file_path
    return f"{path}::{root.get_path_to(node)}" if path else ""


def _root_of(node: Any) -> Any:
    return node.owner if node.owner is not None else node


def keep_marks(drawn: DrawnMap, scene_path: str = "") -> None:
    """Remember where a map's marks stand; `scene_path` is where its scene is saved just now."""
    name = _name_of(drawn.node, scene_path)
    if name:
        tiles = [tile or (_NONE, _NONE) for tile in (drawn.probe, *drawn.ends)]
        _settings().set_project_metadata(_SECTION, name, PackedInt32Array([number for tile in tiles for number in tile]))


def keep_marks_of_scene(path: str) -> None:
    """The edited scene was saved, maybe for the first time or under a new name: remember where the marks of its maps stand."""
    root = singleton("EditorInterface").get_edited_scene_root()
    for drawn in drawn_maps():
        if _root_of(drawn.node) == root and (drawn.probe is not None or drawn.ends[0] is not None):
            keep_marks(drawn, path)


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
