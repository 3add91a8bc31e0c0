"""Benchmarks of the bridge, in the real engine: a Python node beside the same node in GDScript, and the start."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.table import row
from tests.bridge.engine_project import GODOT, EngineProject
from tools import build_bridge

NODES = 1000
CALLS = 20_000
STARTS = 7

PYTHON = '''
from __future__ import annotations

import time
from collections.abc import Callable as Function
from typing import Any

from addons.pynav.bridge import *
from addons.pynav.bridge import engine

CALLS = 20_000


def nanoseconds(action: Function[[], Any], count: int) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter_ns()
        for _ in range(count):
            action()
        best = min(best, (time.perf_counter_ns() - start) / count)
    return best


class Ticking(GodotObject, base="Node"):
    """Adds its frames up."""

    def __init__(self) -> None:
        self.frames = 0
        self.total = 0.0

    def _process(self, delta: float) -> None:
        self.frames += 1
        self.total += delta

    @method
    def add(self, a: int, b: float) -> float:
        return a + b

    @method
    def frame_count(self) -> int:
        return self.frames


class Caller(GodotObject, base="Node"):
    """Calls the engine."""

    @method
    def call_costs(self) -> dict:
        node = engine.Node2D()
        place = Vector2(1, 2)
        empty = nanoseconds(lambda: None, CALLS)
        found = {"set_position": nanoseconds(lambda: node.set_position(place), CALLS) - empty,
                 "prepared": nanoseconds(prepare(node, "set_position", place), CALLS) - empty}
        found["position_ok"] = node.position == place
        node.free()
        return found

    @method
    def buffer_costs(self, count: int) -> dict:
        server = singleton("RenderingServer")
        mesh = server.multimesh_create()
        server.multimesh_allocate_data(mesh, count, 0)
        server.multimesh_set_custom_aabb(mesh, AABB((0, 0, 0), (1, 1, 1)))
        buffer = PackedFloat32Array(count * 8)
        call = prepare(server, "multimesh_set_buffer", mesh, buffer)

        def refill() -> None:
            buffer.edit()[0] = 3.0
            call()

        cost = nanoseconds(refill, 200)
        back = server.multimesh_get_buffer(mesh)
        server.free_rid(mesh)
        return {"refill": cost, "refill_ok": len(back) == count * 8}
'''

GDSCRIPT_NODE = """extends Node

var frames := 0
var total := 0.0

func _process(delta: float) -> void:
	frames += 1
	total += delta

func add(a: int, b: float) -> float:
	return a + b
"""

SCRIPT = """
const REPEATS := 200

func frame_time(make: Callable, count: int) -> Array:
	var holder := Node.new()
	for i in count: holder.add_child(make.call())
	root.add_child(holder)
	for i in 10: await process_frame
	var best := INF
	for round_number in 7:
		var start := Time.get_ticks_usec()
		for i in REPEATS: await process_frame
		best = minf(best, float(Time.get_ticks_usec() - start) / REPEATS)
	var frames := 0
	var child: Variant = holder.get_child(0)
	if child.has_method("frame_count"): frames = child.frame_count()
	elif "frames" in child: frames = child.frames
	holder.free()
	return [best, frames]

func run() -> void:
	var script := load("res://ticking.gd")
	for count in [1, NODES]:
		var empty: Array = await frame_time(func() -> Node: return Node.new(), count)
		var python: Array = await frame_time(func() -> Node: return Ticking.new(), count)
		var gdscript: Array = await frame_time(func() -> Node: return script.new(), count)
		result("process_%d" % count, [
			(python[0] - empty[0]) / count, (gdscript[0] - empty[0]) / count, python[1] == gdscript[1]])
	var calls := CALLS
	var node := Ticking.new()
	var own: Node = script.new()
	var sum := 0.0
	var start := Time.get_ticks_usec()
	for i in calls: sum += node.add(i, 0.5)
	var python_time := Time.get_ticks_usec() - start
	var own_sum := 0.0
	start = Time.get_ticks_usec()
	for i in calls: own_sum += own.add(i, 0.5)
	result("method", [float(python_time) / calls, float(Time.get_ticks_usec() - start) / calls, sum == own_sum])
	node.free()
	own.free()
	var caller := Caller.new()
	var costs: Dictionary = caller.call_costs()
	var item := Node2D.new()
	start = Time.get_ticks_usec()
	for i in calls: item.set_position(Vector2(1, 2))
	costs["gdscript"] = (Time.get_ticks_usec() - start) * 1000.0 / calls
	item.free()
	result("set_position", [costs.set_position, costs.gdscript, costs.position_ok])
	result("prepared", [costs.prepared, costs.gdscript, costs.position_ok])
	var count := 65535
	var buffer_costs: Dictionary = caller.buffer_costs(count)
	var mesh := RenderingServer.multimesh_create()
	RenderingServer.multimesh_allocate_data(mesh, count, RenderingServer.MULTIMESH_TRANSFORM_2D)
	RenderingServer.multimesh_set_custom_aabb(mesh, AABB(Vector3(), Vector3(1, 1, 1)))
	var buffer := PackedFloat32Array()
	buffer.resize(count * 8)
	var best := INF
	for round_number in 5:
		start = Time.get_ticks_usec()
		for i in 200:
			buffer[0] = 3.0
			RenderingServer.multimesh_set_buffer(mesh, buffer)
		best = minf(best, (Time.get_ticks_usec() - start) / 200.0)
	RenderingServer.free_rid(mesh)
	result("buffer", [buffer_costs.refill / 1000.0, best, buffer_costs.refill_ok])
	caller.free()
"""


def _start_times(project: EngineProject) -> tuple[float, bool]:
    """Median seconds from the process's start to its end, for a scene that quits in its first frame."""
    times, ok = [], True
    for _ in range(STARTS):
        start = time.perf_counter()
        run = project.run("--quit-after", "1")
        times.append(time.perf_counter() - start)
        ok = ok and run.code == 0 and not run.errors()
    return statistics.median(times), ok


def rows() -> list[dict[str, Any]]:
    """The rows of this benchmark; needs the engine."""
    if not GODOT.exists():
        raise RuntimeError("the bridge's benchmark needs Godot: python3 dev.py setup")
    build_bridge.build()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        project = EngineProject(Path(folder) / "bench")
        project.python_module("ticking", PYTHON)
        project.modules("ticking")
        project.write("ticking.gd", GDSCRIPT_NODE)
        run = project.run_script(f"const NODES := {NODES}\nconst CALLS := {CALLS}\n{SCRIPT}")
        if run.code != 0 or "buffer" not in run.results:
            raise RuntimeError(f"the benchmark's scene failed:\n{run.output}")

        def measured(name: str) -> tuple[float, float, bool]:
            value, peer, ok = run.results[name].strip("[]").split(",")
            return float(value), float(peer), ok.strip() == "true"

        for key, name, unit, peer in (
            ("process_1", "bridge: _process over the empty frame, 1 node", "us", "GDScript _process"),
            (f"process_{NODES}", f"bridge: _process over the empty frame, each of {NODES}", "us", "GDScript _process"),
            ("method", "bridge: method called from GDScript (int, float) -> float", "us", "GDScript method"),
            ("set_position", "bridge: engine method from Python (set_position)", "ns", "GDScript set_position, with its loop"),
            ("prepared", "bridge: prepared engine call (set_position)", "ns", "GDScript set_position, with its loop"),
            ("buffer", "bridge: refill and multimesh_set_buffer, 65,535 x 8", "us", "GDScript, refilling one float"),
        ):
            value, peer_value, ok = measured(key)
            found.append(row(name, value, unit, peer, peer_value, ok))
        project.write("main.tscn", '[gd_scene format=3]\n[node name="Main" type="Ticking"]\n')
        with_bridge, ok = _start_times(project)
        project.write("main.tscn", '[gd_scene format=3]\n[node name="Main" type="Node"]\n')
        project.write(".godot/extension_list.cfg", "")
        without, plain_ok = _start_times(project)
        found.append(
            row(
                "bridge: start of the engine to the first Python node",
                1e3 * (with_bridge - without),
                "ms",
                "the engine's own start",
                1e3 * without,
                ok and plain_ok,
            )
        )
    return found
