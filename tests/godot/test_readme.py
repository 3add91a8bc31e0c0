"""The README's GDScript does what it says."""

import re
from pathlib import Path

from tests.godot.node_project import NodeProject

ROOT = Path(__file__).resolve().parents[2]


def test_ten_lines_move_ten_thousand_units(project: NodeProject) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```gdscript\n(.*?)```", text, re.DOTALL)
    assert found is not None
    lines = [line for line in found[1].splitlines() if line.strip() and not line.startswith("extends")]
    assert len(lines) <= 10
    project.write("level.gd", found[1])
    run = project.run_script("""
func run():
	var level: Node = load("res://level.gd").new()
	root.add_child(level)
	var horde: FlowFieldCrowd2D = level.get_child(0).get_child(0)
	var before: PackedVector2Array = horde.get_positions().duplicate()
	await ticks(120)
	var after: PackedVector2Array = horde.get_positions()
	var moved := 0
	for id in after.size():
		moved += int(after[id] != before[id])
	result("moved", moved)
	level.free()
""")
    assert run.unexpected() == []
    assert run.results["moved"] > 9_900
