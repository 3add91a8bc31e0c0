"""The editor: it opens with our nodes in it, plugins of every kind work, documentation is there."""

from __future__ import annotations

import json

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import Run

NODES = '''
from __future__ import annotations

from typing import Any

from addons.pynav.bridge import *


class Mark(GodotObject, base="Node3D"):
    """A mark in space.

    It is drawn by a gizmo.
    """

    LIMIT = constant(4, "How many.")
    hit = signal("It was hit.", times=int)
    radius: float = export(2.0, "Radius of the mark.", range=(0, 10), changed="_changed")
    shape: int = export(0, "Shape.", enum="Round,Square", update_all=True)
    corner: float = export(0.5, "Corner, of a square only.")

    def __init__(self) -> None:
        self.ready_in_editor = False
        self.frames = 0

    def _changed(self) -> None:
        self.update_configuration_warnings()
        self.update_gizmos()

    def _ready(self) -> None:
        self.ready_in_editor = is_editor()

    def _process(self, delta: float) -> None:
        self.frames += 1

    def _get_configuration_warnings(self) -> list[str]:
        return [] if self.radius > 0 else ["No radius: set `radius` above 0."]

    def validate_property(self, info: EditableProperty) -> None:
        if info.name == "corner" and self.shape == 0:
            info.usage &= ~4

    @method
    def grow(self, by: float = 1.0) -> float:
        """Makes it <larger> & returns the radius."""
        self.radius += by
        return self.radius

    @method
    def state(self) -> dict:
        return {"ready_in_editor": self.ready_in_editor, "frames": self.frames}


class Runtime(GodotObject, base="Node", runtime=True):
    """A placeholder in the editor."""

    amount: int = export(5)

    @method
    def number(self) -> int:
        return 3
'''

EDITOR = '''
from __future__ import annotations

import json
from typing import Any

from addons.pynav.bridge import *
from addons.pynav.bridge import engine
from marks import Mark

SEEN: dict[str, Any] = {}


class MarkGizmos(GodotObject, base="EditorNode3DGizmoPlugin"):
    """Draws marks."""

    def _get_gizmo_name(self) -> str:
        return "Mark"

    def _get_priority(self) -> int:
        return 5

    def _has_gizmo(self, node: GodotObject) -> bool:
        return isinstance(node, Mark)

    def _redraw(self, gizmo: GodotObject) -> None:
        if not SEEN.get("material"):
            self.create_material("mark", Color(1, 0, 0))
            SEEN["material"] = True
        gizmo.clear()
        radius = gizmo.get_node_3d().radius
        gizmo.add_lines([(0, 0, 0), (radius, 0, 0)], self.get_material("mark", gizmo), False, Color(1, 1, 1))
        SEEN["radius_drawn"] = radius
        SEEN["redraws"] = SEEN.get("redraws", 0) + 1


class MarkInspector(GodotObject, base="EditorInspectorPlugin"):
    """Adds a label."""

    def _can_handle(self, object: GodotObject) -> bool:
        return isinstance(object, Mark)

    def _parse_begin(self, object: GodotObject) -> None:
        label = engine.Label()
        label.text = "A mark"
        self.add_custom_control(label)
        SEEN["inspected"] = True

    def _parse_property(self, object: GodotObject, type: int, name: str, hint_type: int, hint_string: str, usage_flags: int,
                        wide: bool) -> bool:
        SEEN.setdefault("properties", []).append(name)
        return False


class MarkDebugger(GodotObject, base="EditorDebuggerPlugin"):
    """Listens to the running game."""

    def _has_capture(self, capture: str) -> bool:
        return capture == "mark"

    def _setup_session(self, session_id: int) -> None:
        SEEN["session"] = session_id


class MarkPlugin(GodotObject, base="EditorPlugin", editor_plugin=True):
    """Brings the others in."""

    def _get_plugin_name(self) -> str:
        return "Mark"

    def _enter_tree(self) -> None:
        self.gizmos, self.inspector, self.debugger = MarkGizmos(), MarkInspector(), MarkDebugger()
        self.add_node_3d_gizmo_plugin(self.gizmos)
        self.add_inspector_plugin(self.inspector)
        self.add_debugger_plugin(self.debugger)
        self.frames = 0
        on_frame(self.frame)

    def _exit_tree(self) -> None:
        self.remove_node_3d_gizmo_plugin(self.gizmos)
        self.remove_inspector_plugin(self.inspector)
        self.remove_debugger_plugin(self.debugger)
        self.gizmos = self.inspector = self.debugger = None
        print("RESULT left=true")

    def _handles(self, object: GodotObject) -> bool:
        return isinstance(object, Mark)

    def _edit(self, object: GodotObject | None) -> None:
        SEEN.setdefault("edited", []).append(None if object is None else object.name)

    def frame(self) -> None:
        self.frames += 1
        interface = singleton("EditorInterface")
        if self.frames == 30:
            interface.open_scene_from_path("res://mark.tscn")
        scene = interface.get_edited_scene_root()
        if self.frames == 60:
            mark = scene.get_node("Mark")
            interface.edit_node(mark)
        if self.frames == 80:
            mark = scene.get_node("Mark")
            SEEN["warnings"] = [mark._get_configuration_warnings()]
            undo = self.get_undo_redo()
            undo.create_action("shrink")
            undo.add_do_property(mark, "radius", 0.0)
            undo.add_undo_property(mark, "radius", mark.radius)
            undo.commit_action()
            SEEN["warnings"].append(mark._get_configuration_warnings())
            undo.get_history_undo_redo(undo.get_object_history_id(mark)).undo()
            SEEN["after_undo"] = mark.radius
            SEEN["state"] = mark.state()
            usage = {p["name"]: p["usage"] for p in mark.get_property_list()}
            mark.shape = 1
            after = {p["name"]: p["usage"] for p in mark.get_property_list()}
            SEEN["corner_usage"] = [usage["corner"] & 4, after["corner"] & 4]
            SEEN["revert"] = singleton("ClassDB").class_get_property_default_value("Mark", "radius")
            runtime = scene.get_node("Runtime")
            SEEN["placeholder"] = [runtime.get_class(), runtime.has_method("number"), runtime.get("amount"),
                                   type(runtime).__name__]
        if self.frames == 90:
            interface.edit_node(None)
            interface.get_script_editor().goto_help("class_name:Mark")
        if self.frames == 120:
            labels = interface.get_script_editor().find_children("*", "RichTextLabel", True, False)
            SEEN["help"] = "\\n".join(label.get_parsed_text() for label in labels)
            print("RESULT seen=" + json.dumps(SEEN))
            self.get_tree().quit()
'''

SCENE = """[gd_scene format=3]
[node name="Root" type="Node3D"]
[node name="Mark" type="Mark" parent="."]
radius = 3.0
[node name="Runtime" type="Runtime" parent="."]
amount = 8
"""


@pytest.fixture(scope="module")
def run(make_project: MakeProject) -> Run:
    """One run of the editor for all tests of this file."""
    project = make_project()
    project.python_module("marks", NODES)
    project.python_module("mark_tools", EDITOR)
    project.modules("marks", editor=("mark_tools",))
    project.write("mark.tscn", SCENE)
    run = project.run("--editor", fixed_fps=False)
    assert run.code == 0, run.output
    return run


def test_the_editor_runs_and_leaves_cleanly(run: Run) -> None:
    assert run.results["left"] == "true"
    assert [line for line in run.errors() if "mark" in line.lower() or "python" in line.lower()] == []
    assert run.leaks() == [], run.output


def test_plugins_of_every_kind_are_called(run: Run) -> None:
    seen = json.loads(run.results["seen"])
    assert seen["radius_drawn"] == 3.0
    assert seen["inspected"]
    assert "radius" in seen["properties"]
    assert "session" in seen
    assert "Mark" in seen["edited"]


def test_nodes_live_in_the_editor_and_know_it(run: Run) -> None:
    seen = json.loads(run.results["seen"])
    assert seen["state"]["ready_in_editor"] is True
    assert seen["warnings"] == [[], ["No radius: set `radius` above 0."]]
    assert seen["after_undo"] == 3.0
    assert seen["revert"] == 2.0
    assert seen["corner_usage"] == [0, 4]


def test_a_runtime_class_is_a_placeholder(run: Run) -> None:
    seen = json.loads(run.results["seen"])
    assert seen["placeholder"] == ["Runtime", True, 8, "Node"]
    assert seen["placeholder"][2] == 8
    assert seen["placeholder"][3] != "Runtime"


def test_docstrings_are_the_help_pages(run: Run) -> None:
    page = json.loads(run.results["seen"])["help"].replace("\xa0", " ")
    for text in (
        "Mark",
        "Inherits:",
        "A mark in space.",
        "It is drawn by a gizmo.",
        "Radius of the mark.",
        "It was hit.",
        "How many.",
        "Makes it <larger> & returns the radius.",
        "by: float = 1.0",
    ):
        assert text in page, page
