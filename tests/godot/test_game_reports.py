"""What a running game tells the editor: monitors, the timeline's rows, and nothing where nobody listens."""

from __future__ import annotations

import itertools

import numpy as np

from addons.pynav.editor.game_record import SLOWEST, JobRow, MapRecord, lanes_of
from addons.pynav.nodes.game_reports import JOB_COLUMNS, TICK_COLUMNS, MapReport
from pynav.grid import TileGrid
from pynav.world import World
from tests.godot.node_project import NodeProject


def test_monitors_come_and_go_with_the_maps(project: NodeProject) -> None:
    run = project.run_script("""
func names() -> Array:
	return Array(Performance.get_custom_monitor_names()).map(func(name): return String(name))

func run():
	result("before", names())
	var map := FlowFieldMap2D.new()
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = 30
	map.add_child(crowd)
	root.add_child(map)
	var other := FlowFieldMap3D.new()
	root.add_child(other)
	await ticks(3)
	result("names", names())
	result("agents", Performance.get_custom_monitor("pynav/agents"))
	result("took", Performance.get_custom_monitor("pynav/tick_ms") > 0.0)
	crowd.set_goal_tiles([Vector2i(60, 60)])
	await ticks(30)
	result("rebuilds", Performance.get_custom_monitor("pynav/rebuilds"))
	result("new_flow", Performance.get_custom_monitor("pynav/flow_cache_hit_percent"))
	var second := FlowFieldCrowd2D.new()
	second.count = 3
	map.add_child(second)
	second.set_goal_tiles([Vector2i(60, 60)])
	await ticks(3)
	result("same_flow", Performance.get_custom_monitor("pynav/flow_cache_hit_percent"))
	result("blocks", Performance.get_custom_monitor("pynav/block_cache_hit_percent") > 0.0)
	map.free()
	result("one_left", names().size())
	other.free()
	result("after", names())
""")
    assert run.unexpected() == []
    names = [
        "pynav/agents", "pynav/tick_ms", "pynav/kernels_ms", "pynav/budget_used_percent", "pynav/rebuilds",
        "pynav/flow_cache_hit_percent", "pynav/block_cache_hit_percent",
    ]  # fmt: skip
    assert run.results == {
        "before": [], "names": names, "agents": 30.0, "took": True, "rebuilds": 1.0, "new_flow": 0.0,
        "same_flow": 50.0, "blocks": True, "one_left": 7, "after": [],
    }  # fmt: skip


def test_an_observer_hears_of_jobs_and_changes_nothing() -> None:
    hashes, reports = [], []
    for report in (None, MapReport("map")):
        world = World(seed=3)
        world.set_grid(TileGrid(np.ones((80, 80), dtype=np.uint8)))
        world.observe_jobs(report)
        crowd = world.add_crowd(20)
        crowd.set_goal([[70, 70]])
        for _ in range(30):
            world.step(1 / 60)
        hashes.append(world.state_hash())
        reports.append(report)
    assert hashes[0] == hashes[1]
    assert reports[1] is not None
    row = JobRow(*reports[1].jobs)
    assert len(row) == JOB_COLUMNS
    assert (row.x, row.y) == (70, 70)
    assert row.submitted <= row.begun < row.published <= 30
    assert row.units > 0


def ticks(*numbers: int) -> np.ndarray:
    return np.array([[n, 900.0, 500.0, 20.0, 2000.0, 1, 30] for n in numbers], dtype=np.float32).reshape(-1)


def test_a_record_keeps_the_slowest_jobs_and_begins_anew_with_its_map() -> None:
    record = MapRecord()
    jobs = np.array([[n, n, n + 1, n + 2 + n % 7, 50, 0, 1, 2] for n in range(100)], dtype=np.int32)
    record.take(ticks(1, 2, 3), jobs.reshape(-1))
    assert len(ticks(1)) == TICK_COLUMNS
    assert [row.tick for row in record.ticks] == [1, 2, 3]
    assert len(record.slowest) == SLOWEST
    assert [job.ticks for job in record.slowest[:15]] == [8] * 14 + [7]
    record.take(ticks(1), np.zeros(0, dtype=np.int32))
    assert [row.tick for row in record.ticks] == [1]
    assert record.slowest == []


def test_jobs_in_one_lane_don_t_overlap() -> None:
    numbers = np.random.default_rng(5)
    starts = np.sort(numbers.integers(0, 90, 60)).tolist()
    jobs = [JobRow(n, s, s, s + int(numbers.integers(1, 30)), 1, 0, 0, 0) for n, s in enumerate(starts)]
    lanes = lanes_of(jobs)
    for lane in set(lanes):
        mine = [job for job, own in zip(jobs, lanes, strict=True) if own == lane]
        assert all(one.published < other.submitted for one, other in itertools.pairwise(mine))
    assert max(lanes) > 2
