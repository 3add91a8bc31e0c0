"""Requested queries in the real engine: callback and signal, on the same ticks in each run, cancel, errors in words."""

from __future__ import annotations

from tests.godot.node_project import NodeProject

SCRIPT = """
var seen := []

func make_map() -> FlowFieldMap2D:
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(300, 300)
	root.add_child(map)
	map.set_cost_rect(Rect2i(150, 0, 1, 290), 0)
	map.query_finished.connect(func(query: int, answer: Variant): seen.append([map.get_tick(), query, answer]))
	return map

func play() -> Array:
	seen = []
	var map := make_map()
	var called := []
	var keep := func(answer: Variant): called.append(answer)
	var path_query: int = map.request_id_path(Vector2i(5, 5), Vector2i(290, 5), keep)
	var distance_query: int = map.request_distances(PackedVector2Array([Vector2(5, 5), Vector2(-1, 0)]), Vector2i(290, 5), keep)
	var reach_query: int = map.request_reachable(PackedVector2Array([Vector2(5, 5), Vector2(150, 5)]), Vector2i(290, 5))
	var near_query: int = map.request_nearest_reachable_tile(Vector2i(150, 5), Vector2i(5, 5), keep, 3)
	var gone: int = map.request_id_path(Vector2i(5, 5), Vector2i(5, 290), keep)
	result("waiting", [map.get_waiting_query_count(), map.is_query_waiting(gone), map.cancel_query(gone), map.cancel_query(gone)])
	for tick in 60:
		await ticks(1)
		if map.get_waiting_query_count() == 0:
			break
	result("numbers", [path_query, distance_query, reach_query, near_query])
	result("as_direct", [
		called[0] == map.get_id_path(Vector2i(5, 5), Vector2i(290, 5)), called[0].size() > 500,
		called[1] == map.get_distances(PackedVector2Array([Vector2(5, 5), Vector2(-1, 0)]), Vector2i(290, 5)),
		called[2] == map.get_nearest_reachable_tile(Vector2i(150, 5), Vector2i(5, 5), 3), called.size(),
		typeof(called[1]) == TYPE_PACKED_FLOAT32_ARRAY])
	result("reach", seen.filter(func(entry): return entry[1] == reach_query)[0][2])
	map.free()
	return seen.map(func(entry): return [entry[0], entry[1]])

func run():
	var jobs := NavJobScheduler.new()
	jobs.query_budget_usec = 100
	root.add_child(jobs)
	var first: Array = await play()
	var second: Array = await play()
	result("order", first.map(func(entry): return entry[1]))
	result("again", first == second)
	result("later", first[0][0] > 2)
	var map := make_map()
	map.request_id_path(Vector2i(5, 5), Vector2i(9, 9), Callable(), 9)
	map.request_id_path(Vector2i(5, 5), Vector2i(9, 9), Callable(), 1, "boat")
	var listener := Node.new()
	map.request_id_path(Vector2i(5, 5), Vector2i(9, 9), listener.set_name)
	listener.free()
	seen = []
	await ticks(20)
	result("freed_listener", seen.size())
	map.free()
	jobs.free()
"""


def test_answers_come_by_callback_and_signal_on_fixed_ticks(project: NodeProject) -> None:
    run = project.run_script(SCRIPT)
    assert run.results == {
        "waiting": [5, True, True, False], "numbers": [1, 2, 3, 4], "as_direct": [True, True, True, True, 3, True],
        "reach": [1, 0], "order": [1, 2, 3, 4], "again": True, "later": True, "freed_listener": 1,
    }  # fmt: skip
    errors = [line for line in run.errors() if "FlowFieldMap2D" in line]
    assert len(errors) == 2 == len(run.errors()), run.output
    assert "unit size of 1 to 5" in errors[0] and "no movement class 'boat'" in errors[1]
