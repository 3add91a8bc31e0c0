"""NavJobScheduler in the real engine: its budget reaches the maps, its figures move, and it leaves without a trace."""

from __future__ import annotations

from pynav.jobs import JobBudget
from tests.godot.node_project import NodeProject

LEVEL = """
func make_map(side := 160) -> FlowFieldMap2D:
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(side, side)
	var crowd := FlowFieldCrowd2D.new()
	crowd.name = "Crowd"
	crowd.count = 20
	map.add_child(crowd)
	return map

# Ticks from an order until its field serves.
func wait_for_field(map: FlowFieldMap2D, goal: Vector2i) -> int:
	await ticks(1)
	map.get_node("Crowd").set_goal(map.tile_to_local(goal))
	var count := 0
	while map.get_stats().jobs_queued > 0 and count < 500:
		await ticks(1)
		count += 1
	return count

"""


def test_defaults_and_help(project: NodeProject) -> None:
    budget = JobBudget()
    run = project.run_script("""
func run():
	var jobs := NavJobScheduler.new()
	for property in ["budget_usec", "worker_units", "slack_ticks", "queue_length", "progress", "last_usec", "overshoot_usec",
			"finished_jobs", "late_jobs"]:
		result(property, jobs.get(property))
	var read_only := []
	for property in jobs.get_property_list():
		if property.usage & PROPERTY_USAGE_READ_ONLY and not property.usage & PROPERTY_USAGE_STORAGE:
			read_only.append(property.name)
	result("read_only", read_only)
	result("is_node", [jobs.get_class(), ClassDB.get_parent_class("NavJobScheduler")])
	jobs.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "budget_usec": budget.frame_units, "worker_units": budget.worker_units,
        "slack_ticks": budget.slack_ticks, "queue_length": 0, "progress": 1.0, "last_usec": 0.0,
        "overshoot_usec": 0.0, "finished_jobs": 0, "late_jobs": 0, "is_node": ["NavJobScheduler", "Node"],
        "read_only": ["queue_length", "progress", "last_usec", "overshoot_usec", "finished_jobs", "late_jobs"],
    }  # fmt: skip


def test_the_budget_holds_for_all_maps_and_only_while_the_node_is_there(project: NodeProject) -> None:
    run = project.run_script(
        LEVEL
        + """
func run():
	var map := make_map()
	root.add_child(map)
	var plain: int = await wait_for_field(map, Vector2i(150, 150))
	var jobs := NavJobScheduler.new()
	jobs.slack_ticks += 30
	root.add_child(jobs)
	result("later", (await wait_for_field(map, Vector2i(10, 150))) - plain)
	var added := make_map()
	root.add_child(added)
	result("added_later", (await wait_for_field(added, Vector2i(150, 150))) - plain)
	jobs.slack_ticks -= 15
	result("changed", (await wait_for_field(map, Vector2i(150, 10))) - plain)
	map.fill_cost = 2
	await ticks(1)
	result("made_anew", (await wait_for_field(map, Vector2i(150, 150))) - plain)
	jobs.worker_units = 8
	result("slowly", (await wait_for_field(map, Vector2i(10, 10))) > plain + 8)
	jobs.free()
	result("freed", (await wait_for_field(map, Vector2i(100, 10))) - plain)
	result("freed_for_both", (await wait_for_field(added, Vector2i(10, 10))) - plain)
	map.free()
	added.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {
        "later": 10, "added_later": 10, "changed": 5, "made_anew": 5, "slowly": True, "freed": 0, "freed_for_both": 0,
    }  # fmt: skip


def test_figures_and_the_signal(project: NodeProject) -> None:
    run = project.run_script(
        LEVEL
        + """
func run():
	var jobs := NavJobScheduler.new()
	root.add_child(jobs)
	var map := make_map(256)
	root.add_child(map)
	await ticks(2)
	var emptied := [0]
	jobs.queue_emptied.connect(func(): emptied[0] += 1)
	var crowds: Array[FlowFieldCrowd2D] = [map.get_node("Crowd")]
	for index in 11:
		var crowd := FlowFieldCrowd2D.new()
		crowd.count = 5
		map.add_child(crowd)
		crowds.append(crowd)
	await ticks(2)
	result("before", [jobs.queue_length, jobs.progress, jobs.finished_jobs, emptied[0]])
	for index in crowds.size():
		crowds[index].set_goal(map.tile_to_local(Vector2i(20 * index, 250)))
	result("ordered", jobs.queue_length)
	var shares := []
	var used := 0.0
	while jobs.queue_length > 0 and shares.size() < 500:
		await ticks(1)
		shares.append(jobs.progress)
		used = maxf(used, jobs.last_usec)
	var sorted := shares.duplicate()
	sorted.sort()
	result("rising", shares == sorted and shares.front() < 0.5 and shares.back() == 1.0)
	await ticks(2)
	result("after", [jobs.queue_length, jobs.progress, jobs.finished_jobs, emptied[0]])
	result("used", used > 0.0 and jobs.last_usec == 0.0)
	result("late", jobs.late_jobs >= 0 and jobs.late_jobs <= 12)
	map.free()
	result("gone", [jobs.queue_length, jobs.finished_jobs, jobs.overshoot_usec])
	jobs.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {
        "before": [0, 1.0, 0, 0], "ordered": 12, "rising": True, "after": [0, 1.0, 12, 1], "used": True, "late": True,
        "gone": [0, 0, 0.0],
    }  # fmt: skip


def test_as_an_autoload(project: NodeProject) -> None:
    """As a scene, and as a script that extends it: both are there before the first scene."""
    project.write(
        "jobs.tscn", '[gd_scene format=3]\n[node name="Jobs" type="NavJobScheduler"]\nslack_ticks = 27\nbudget_usec = 1500\n'
    )
    project.write("own_jobs.gd", "extends NavJobScheduler\nfunc _init():\n\tslack_ticks = 33\n")
    for place in ("jobs.tscn", "own_jobs.gd"):
        project.settings(autoload__Jobs=f'"*res://{place}"')
        project.write(
            "play.gd",
            """extends Node
func _ready():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(160, 160)
	var crowd := FlowFieldCrowd2D.new()
	map.add_child(crowd)
	add_child(map)
	await get_tree().physics_frame
	crowd.set_goal(map.tile_to_local(Vector2i(150, 150)))
	var count := 0
	while Jobs.queue_length > 0 and count < 500:
		await get_tree().physics_frame
		count += 1
	print("RESULT waited=%d" % count)
	print("RESULT finished=%d" % Jobs.finished_jobs)
	get_tree().quit()
""",
        )
        project.write(
            "main.tscn",
            '[gd_scene format=3]\n[ext_resource type="Script" path="res://play.gd" id="1"]\n'
            '[node name="Main" type="Node"]\nscript = ExtResource("1")\n',
        )
        run = project.run()
        assert run.unexpected() == []
        assert run.results["finished"] == 1
        assert run.results["waited"] > (9 if place == "jobs.tscn" else 11)


def test_two_at_once_and_numbers_out_of_range(project: NodeProject) -> None:
    run = project.run_script(
        LEVEL
        + """
func run():
	var map := make_map()
	root.add_child(map)
	var plain: int = await wait_for_field(map, Vector2i(150, 150))
	var first := NavJobScheduler.new()
	first.name = "First"
	first.slack_ticks += 12
	root.add_child(first)
	var second := NavJobScheduler.new()
	second.name = "Second"
	second.slack_ticks += 24
	root.add_child(second)
	result("problems", [first.get_problems(), second.get_problems()])
	result("first_counts", (await wait_for_field(map, Vector2i(10, 150))) - plain)
	second.slack_ticks += 9
	result("still", (await wait_for_field(map, Vector2i(150, 10))) - plain)
	first.free()
	result("none", second.get_problems())
	result("second_follows", (await wait_for_field(map, Vector2i(10, 10))) - plain)
	second.worker_units = 0
	result("bad", second.get_problems())
	result("kept", (await wait_for_field(map, Vector2i(90, 10))) - plain)
	second.worker_units = 5000
	second.budget_usec = 1
	second.slack_ticks -= 27
	result("good", [second.get_problems(), (await wait_for_field(map, Vector2i(10, 90))) - plain])
	second.free()
	map.free()
"""
    )
    found = run.results
    assert found["problems"][0] == []
    assert len(found["problems"][1]) == 1 and "First: that one counts" in found["problems"][1][0]
    assert (found["first_counts"], found["still"], found["none"], found["second_follows"]) == (4, 4, [], 11)
    assert found["bad"] == ["`worker_units` must be at least 1, it is 0: until it is set the numbers from before hold."]
    assert found["kept"] == 11
    assert found["good"] == [[], 2]
    assert len(run.warnings()) == 1 and "NavJobScheduler 'Second': There is another" in run.warnings()[0]
    assert len(run.errors()) == 1 and "NavJobScheduler 'Second': `worker_units`" in run.errors()[0]


def test_monitors(project: NodeProject) -> None:
    run = project.run_script(
        LEVEL
        + """
const NAMES := ["pynav/job_queue", "pynav/job_usec", "pynav/job_overshoot_usec", "pynav/late_jobs"]

func there() -> Array:
	return NAMES.map(func(id): return Performance.has_custom_monitor(id))

func run():
	var jobs := NavJobScheduler.new()
	result("before", there())
	root.add_child(jobs)
	result("there", there())
	var map := make_map()
	root.add_child(map)
	map.get_node("Crowd").set_goal(map.tile_to_local(Vector2i(150, 150)))
	result("queue", Performance.get_custom_monitor("pynav/job_queue"))
	await ticks(1)
	await physics_frame
	result("usec", Performance.get_custom_monitor("pynav/job_usec") >= 0.0)
	result("overshoot", Performance.get_custom_monitor("pynav/job_overshoot_usec") == jobs.overshoot_usec)
	result("late", Performance.get_custom_monitor("pynav/late_jobs") == jobs.late_jobs)
	root.remove_child(jobs)
	result("left", there())
	root.add_child(jobs)
	result("back", there())
	jobs.free()
	result("freed", there())
	map.free()
"""
    )
    assert run.unexpected() == []
    yes, no = [True] * 4, [False] * 4
    assert run.results == {
        "before": no, "there": yes, "queue": 1.0, "usec": True, "overshoot": True, "late": True, "left": no, "back": yes,
        "freed": no,
    }  # fmt: skip


def test_a_restored_state_brings_its_budget(project: NodeProject) -> None:
    run = project.run_script(
        LEVEL
        + """
func run():
	var jobs := NavJobScheduler.new()
	root.add_child(jobs)
	var map := make_map()
	root.add_child(map)
	await ticks(2)
	var saved: PackedByteArray = map.save_state()
	var plain: int = await wait_for_field(map, Vector2i(150, 150))
	var hashed: String = map.get_state_hash()
	jobs.slack_ticks += 21
	map.restore_state(saved)
	result("as_saved", (await wait_for_field(map, Vector2i(150, 150))) - plain)
	result("same_bits", map.get_state_hash() == hashed)
	jobs.slack_ticks -= 3
	result("again", (await wait_for_field(map, Vector2i(10, 150))) - plain)
	jobs.free()
	map.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {"as_saved": 0, "same_bits": True, "again": 6}
