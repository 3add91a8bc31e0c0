"""Long lives and many ends: scenes reloaded a thousand times, fifty clean exits."""

from __future__ import annotations

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import EngineProject

PYTHON = '''
from __future__ import annotations

import gc
import threading
from typing import Any

from addons.pynav.bridge import *
from addons.pynav.bridge import callables, engine, instances


class Settings(GodotObject, base="Resource"):
    """A resource of the scene."""

    level: int = export(1)


class Mob(GodotObject, base="Node2D"):
    """A node of the scene, that holds all that may leak."""

    spoken = signal("Said.", count=int)
    settings: Settings | None = export(None)
    path: PackedVector2Array = export(None)
    table: Dictionary = export(None)
    friend: GodotObject | None = export(None, node="Node2D")

    def __init__(self) -> None:
        self.total = 0
        self.image: Any = None

    def _ready(self) -> None:
        self.image = engine.Image.create_empty(2, 2, False, 5)
        self.path = [(1, 2), (3, 4)]
        self.table["x"] = [1, 2, {"deep": self.image}]
        self.spoken.connect(self.hear)
        self.get_parent().connect("tree_exiting", lambda: self.hear(1))
        self.spoken.emit(1)

    def hear(self, count: int) -> None:
        self.total += count


class Counter(GodotObject, base="Node"):
    """Counts what lives."""

    @method
    def counts(self) -> list:
        gc.collect()
        return [instances.live_count(), callables.live_callables(), len(gc.get_objects())]

    @method
    def set_aside(self) -> int:
        return gc.get_freeze_count()


class Busy(GodotObject, base="Node"):
    """Leaves much behind at the end: a thread, globals that hold objects, a call that is deferred."""

    def _ready(self) -> None:
        global KEPT
        KEPT = [engine.Image.create_empty(2, 2, False, 5), Settings(), Array([Settings(), {"a": Settings()}]),
                Callable(self.hear),
                PackedByteArray(1000), prepare(self, "set_name", "kept"), engine.Resource()]
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.stop.wait)
        self.thread.start()
        on_shutdown(self.end_thread)
        on_frame(self.frame)
        self.frames = 0

    def hear(self) -> None:
        pass

    def frame(self) -> None:
        self.frames += 1

    def end_thread(self) -> None:
        self.stop.set()
        self.thread.join()
        print("RESULT thread_ended=", not self.thread.is_alive(), " frames=", self.frames > 0, sep="")


KEPT: list[Any] = []
'''

SCENE = """[gd_scene load_steps=2 format=3]
[sub_resource type="Settings" id="1"]
level = 4
[node name="Root" type="Node2D"]
[node name="A" type="Mob" parent="." node_paths=PackedStringArray("friend")]
settings = SubResource("1")
friend = NodePath("../B")
[node name="B" type="Mob" parent="."]
position = Vector2(3, 4)
table = {
"k": 1
}
"""

RELOADS = """
func run() -> void:
	var counter := Counter.new()
	var scene: PackedScene = load("res://mobs.tscn")
	var start: Array = []
	var objects := 0
	for i in 1050:
		if i == 50:
			await process_frame
			await process_frame
			start = counter.counts()
			objects = int(Performance.get_monitor(Performance.OBJECT_COUNT))
		var node := scene.instantiate()
		root.add_child(node)
		if i == 0:
			var mob: Mob = node.get_child(0)
			result("loaded", [mob.settings.level, mob.friend == node.get_child(1)])
		if i % 2: node.free()
		else:
			node.queue_free()
			await process_frame
	await process_frame
	await process_frame
	var end: Array = counter.counts()
	result("instances", [start[0], end[0]])
	result("callables", [start[1], end[1]])
	result("set_aside", counter.set_aside())
	result("python_objects", end[2] - start[2])
	result("objects", int(Performance.get_monitor(Performance.OBJECT_COUNT)) - objects)
	counter.free()
"""


@pytest.fixture(scope="module")
def project(make_project: MakeProject) -> EngineProject:
    """One project for all tests of this file."""
    project = make_project()
    project.python_module("lives", PYTHON)
    project.modules("lives")
    project.write("mobs.tscn", SCENE)
    project.write(
        "main.tscn",
        '[gd_scene format=3]\n[node name="Main" type="Node"]\n[node name="Busy" type="Busy" parent="."]\n'
        '[node name="Mob" type="Mob" parent="."]\n',
    )
    return project


def test_a_thousand_scene_reloads_leave_the_counts_flat(project: EngineProject) -> None:
    run = project.run_script(RELOADS, "--verbose")
    assert run.code == 0, run.output
    assert run.results["loaded"] == "[4, true]"
    start, end = (int(x) for x in run.results["instances"].strip("[]").split(","))
    assert start == end
    start, end = (int(x) for x in run.results["callables"].strip("[]").split(","))
    assert start == end
    assert int(run.results["set_aside"]) > 10_000  # the collector is spared all that stays as long as the process
    assert abs(int(run.results["python_objects"])) < 50
    assert int(run.results["objects"]) == 0
    assert run.leaks() == []
    assert run.errors() == [], run.output


def test_fifty_clean_exits(project: EngineProject) -> None:
    for number in range(50):
        run = project.run("--quit-after", "3", *(["--verbose"] if number % 5 == 0 else []))
        assert run.code == 0, (number, run.output)
        assert run.leaks() == [], (number, run.output)
        assert run.errors() == [], (number, run.output)
        assert run.lines_with("thread_ended=True frames=True"), run.output
