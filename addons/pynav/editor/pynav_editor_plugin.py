"""The editor plugin: it hands what the editor tells it to its parts."""

from __future__ import annotations

from typing import Any, ClassVar

from addons.pynav.bridge import GodotObject, report

from .parts import PARTS


class PynavEditorPlugin(GodotObject, base="EditorPlugin"):
    """Editor tools of pynav, switched on and off by plugin.cfg (Project Settings, Plugins)."""

    in_editor: ClassVar[Any] = None  # the one that is in the editor's tree

    def __init__(self) -> None:
        self._parts: list[Any] = []

    def _get_plugin_name(self) -> str:
        return "pynav"

    def _enter_tree(self) -> None:
        PynavEditorPlugin.in_editor = self
        for kind in PARTS:
            try:
                part = kind(self)
                part.enter()
                self._parts.append(part)
            except Exception as error:  # one part that fails must not take the others along
                report(error, kind)

    def _exit_tree(self) -> None:
        PynavEditorPlugin.in_editor = None
        while self._parts:
            part = self._parts.pop()
            try:
                part.leave()
            except Exception as error:
                report(error, type(part).leave)

    def _handles(self, object: GodotObject) -> bool:
        return any(part.handles(object) for part in self._parts)

    def _edit(self, object: GodotObject | None) -> None:
        for part in self._parts:
            part.edit(object if object is not None and part.handles(object) else None)

    def _forward_canvas_gui_input(self, event: GodotObject) -> bool:
        return any(part.canvas_input(event) for part in self._parts)

    def _forward_canvas_draw_over_viewport(self, viewport_control: GodotObject) -> None:
        for part in self._parts:
            part.draw_over_canvas(viewport_control)

    def _forward_3d_gui_input(self, viewport_camera: GodotObject, event: GodotObject) -> int:
        for part in self._parts:
            answer = int(part.space_input(viewport_camera, event))
            if answer:
                return answer
        return 0

    def _forward_3d_draw_over_viewport(self, viewport_control: GodotObject) -> None:
        for part in self._parts:
            part.draw_over_space(viewport_control)
