"""Values crossing between GDScript and Python, by both call paths, and what a declaration says to the engine."""

from __future__ import annotations

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import Run

PYTHON = '''
from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Annotated, Any

from addons.pynav.bridge import *
from addons.pynav.bridge import engine


class Shared:
    """A mixin gives its exports to the classes that use it."""

    shared_number: int = export(7, "From the mixin.")


class Sample(Shared, GodotObject, base="Node2D"):
    """A sample node.

    With more text.
    """

    class Kind(IntEnum):
        """Kinds."""
        ONE = 1
        TWO = 2

    class Masks(IntFlag):
        LOW = 1
        HIGH = 2

    LIMIT = constant(12, "A limit.")
    done = signal("Done.", count=int, what=str, where=Vector2)

    speed: float = export(64.0, "Speed.", range=(0.0, 100.0, 0.5, "or_greater"), unit="px/s", group="Units", subgroup="Motion")
    count: int = export(3, "Count.", changed="_count_changed", group="Units")
    kind: Kind = export(Kind.TWO)
    masks: Masks = export(Masks.HIGH)
    layers: int = export(1, flags="2d_physics")
    note: str = export("hello", multiline=True)
    path: NodePath = export(NodePath(""), node="Node2D")
    target: GodotObject | None = export(None, node="Node2D")
    mesh: GodotObject | None = export(None, resource="Mesh")
    tint: Color = export(Color(1, 0, 0, 1), no_alpha=True)
    points: PackedVector2Array = export(None)
    table: dict = export({"a": 1})
    items: Array = export([1, 2], array_of=int)
    file: str = export("", file="*.map")
    hidden: int = export(5, editor=False)

    def __init__(self) -> None:
        self.changes = 0
        self._row = 0

    def _count_changed(self) -> None:
        self.changes += 1

    @exported_property(range=(0, 10), default=0)
    def row(self) -> int:
        """A row."""
        return self._row

    @row.setter
    def row(self, value: int) -> None:
        self._row = min(value, 10)

    @exported_property()
    def twice(self) -> int:
        """Read only."""
        return 2 * self.count

    @method
    def change_count(self) -> int:
        return self.changes

    @method
    def add(self, a: int, b: float = 1.5, c: Vector2 = Vector2(1, 2)) -> float:
        """Adds."""
        self.done.emit(a, "x", c)
        return a + b + c.x

    @method
    def echo(self, value: Any) -> Any:
        return value

    @method
    def next_kind(self, kind: Kind) -> Kind:
        assert isinstance(kind, Sample.Kind)
        return Sample.Kind.ONE

    @method
    def parent_of(self, node: Annotated[GodotObject, "Node"] | None) -> Annotated[GodotObject, "Node"] | None:
        return node.get_parent() if node else None

    @method
    def new_image(self) -> Annotated[GodotObject, "Image"]:
        return engine.Image.create_empty(3, 2, False, 5)

    @method
    def plain_list(self, values: list) -> list:
        assert type(values) is list
        return [*values, len(values)]

    @method
    def call_it(self, function: Callable, value: int) -> Any:
        return function(value)

    @method
    def give_function(self) -> Callable:
        return lambda x: x * 3

    @staticmethod
    @method
    def static_sum(a: int, b: int) -> int:
        return a + b

    def _to_string(self) -> str:
        return f"sample {self.count}"

    def _get(self, name: str) -> Any:
        return 99 if name == "dynamic" else None

    def _set(self, name: str, value: Any) -> bool:
        if name == "dynamic":
            self.seen = value
            return True
        return False

    @method
    def seen_value(self) -> Any:
        return self.seen


TYPES = [("bool", bool), ("int", int), ("float", float), ("string", str), ("string_name", StringName), ("node_path", NodePath),
         ("vector2", Vector2), ("vector2i", Vector2i), ("rect2", Rect2), ("rect2i", Rect2i), ("vector3", Vector3),
         ("vector3i", Vector3i), ("transform2d", Transform2D), ("vector4", Vector4), ("vector4i", Vector4i), ("plane", Plane),
         ("quaternion", Quaternion), ("aabb", AABB), ("basis", Basis), ("transform3d", Transform3D), ("projection", Projection),
         ("color", Color), ("rid", RID), ("object", GodotObject), ("callable", Callable), ("signal", Signal),
         ("dictionary", Dictionary),
         ("array", Array), ("bytes", PackedByteArray), ("int32s", PackedInt32Array), ("int64s", PackedInt64Array),
         ("float32s", PackedFloat32Array), ("float64s", PackedFloat64Array), ("strings", PackedStringArray),
         ("vector2s", PackedVector2Array), ("vector3s", PackedVector3Array), ("colors", PackedColorArray),
         ("vector4s", PackedVector4Array)]


def _typed(python_type):
    def echo(self, value):
        if value is not None:
            assert isinstance(value, python_type), (value, python_type)
        return value
    echo.__annotations__ = {"value": python_type, "return": python_type}
    return method(echo)


class Typed(type(GodotObject)("TypedBase", (GodotObject,), {"__module__": __name__, **{f"echo_{n}": _typed(t) for n, t in TYPES}},
                              base="RefCounted")):
    """One typed method for each Variant type."""


class Child(Sample):
    """A child of a Python class."""

    extra: int = export(1)

    def _count_changed(self) -> None:
        self.changes += 10
'''

SAMPLES = """{
	"bool": true, "int": -5000000000, "float": 1.25, "string": "gr\\u00fc\\u00df \\u4f60", "string_name": &"name",
	"node_path": ^"a/b:c",
	"vector2": Vector2(1, 2), "vector2i": Vector2i(-1, 2), "rect2": Rect2(1, 2, 3, 4), "rect2i": Rect2i(1, 2, 3, 4),
	"vector3": Vector3(1, 2, 3), "vector3i": Vector3i(1, -2, 3), "transform2d": Transform2D(0.5, Vector2(3, 4)),
	"vector4": Vector4(1, 2, 3, 4), "vector4i": Vector4i(1, 2, 3, -4), "plane": Plane(0, 1, 0, 5),
	"quaternion": Quaternion(0, 1, 0, 0),
	"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), "basis": Basis(Vector3(0, 1, 0), 0.5),
	"transform3d": Transform3D(Basis(Vector3(1, 0, 0), 0.5), Vector3(1, 2, 3)),
	"projection": Projection(Transform3D(Basis(), Vector3(7, 8, 9))),
	"color": Color(0.25, 0.5, 0.75, 1), "rid": RID(), "object": root, "callable": root.get_child_count, "signal": root.ready,
	"dictionary": {"a": [1, {"b": 2}]}, "array": [1, "two", [3.0]], "bytes": PackedByteArray([1, 255]),
	"int32s": PackedInt32Array([1, -2]), "int64s": PackedInt64Array([1, -5000000000]), "float32s": PackedFloat32Array([1.5, 2.5]),
	"float64s": PackedFloat64Array([0.1, 0.2]), "strings": PackedStringArray(["a", "\\u00df", ""]),
	"vector2s": PackedVector2Array([Vector2(1, 2)]), "vector3s": PackedVector3Array([Vector3(1, 2, 3), Vector3(4, 5, 6)]),
	"colors": PackedColorArray([Color(1, 0, 0.5, 1)]), "vector4s": PackedVector4Array([Vector4(1, 2, 3, 4)])}"""


def _typed_calls() -> str:
    """GDScript that is compiled to typed calls, one for each type."""
    kinds = {
        "string_name": "StringName",
        "node_path": "NodePath",
        "string": "String",
        "rid": "RID",
        "aabb": "AABB",
        "object": "Object",
        "bool": "bool",
        "int": "int",
        "float": "float",
        "bytes": "PackedByteArray",
        "int32s": "PackedInt32Array",
        "int64s": "PackedInt64Array",
        "float32s": "PackedFloat32Array",
        "float64s": "PackedFloat64Array",
        "strings": "PackedStringArray",
        "vector2s": "PackedVector2Array",
        "vector3s": "PackedVector3Array",
        "colors": "PackedColorArray",
        "vector4s": "PackedVector4Array",
        "transform2d": "Transform2D",
        "transform3d": "Transform3D",
    }
    lines = []
    for name in [
        "bool",
        "int",
        "float",
        "string",
        "string_name",
        "node_path",
        "vector2",
        "vector2i",
        "rect2",
        "rect2i",
        "vector3",
        "vector3i",
        "transform2d",
        "vector4",
        "vector4i",
        "plane",
        "quaternion",
        "aabb",
        "basis",
        "transform3d",
        "projection",
        "color",
        "rid",
        "object",
        "callable",
        "signal",
        "dictionary",
        "array",
        "bytes",
        "int32s",
        "int64s",
        "float32s",
        "float64s",
        "strings",
        "vector2s",
        "vector3s",
        "colors",
        "vector4s",
    ]:
        kind = kinds.get(name, name.capitalize())
        lines += [
            f'\tvar in_{name}: {kind} = samples["{name}"]',
            f"\tvar out_{name}: {kind} = typed.echo_{name}(in_{name})",
            f'\tif out_{name} != in_{name}: bad.append("typed {name}")',
            "\telse: good += 1",
        ]
    return "\n".join(lines)


SCRIPT = f"""
func run() -> void:
	var samples: Dictionary = {SAMPLES}
	var typed: Typed = Typed.new()
	var bad: Array = []
	var good := 0
{_typed_calls()}
	result("typed_good", good)
	var boxed := 0
	for name in samples:
		var back: Variant = typed.call("echo_" + name, samples[name])
		if typeof(back) == typeof(samples[name]) and back == samples[name]: boxed += 1
		else: bad.append("boxed " + name)
	result("boxed_good", boxed)
	result("bad", bad)

	var n := Sample.new()
	var got: Array = []
	n.done.connect(func(count: int, what: String, where: Vector2) -> void: got.append([count, what, where]))
	root.add_child(n)
	result("add_typed", n.add(2))
	result("add_boxed", n.call("add", 2, 3, Vector2(7, 7)))
	result("signal", got)
	result("null", n.echo(null) == null)
	result("kind", n.next_kind(Sample.TWO))
	result("parent", n.parent_of(n) == root)
	result("no_parent", n.parent_of(null) == null)
	var image: Image = n.new_image()
	result("image", [image.get_width(), image.get_height(), image.get_reference_count()])
	result("plain_list", n.plain_list([5, 6]))
	result("call_it", n.call_it(func(x: int) -> int: return x + 1, 41))
	var python_function := n.give_function()
	result("give_function", python_function.call(5))
	result("argument_count", python_function.get_argument_count())
	result("static", Sample.static_sum(2, 3))
	result("text", str(n))
	result("dynamic", n.get("dynamic"))
	n.set("dynamic", "x")
	result("dynamic_set", n.seen_value())
	n.count = 4
	n.count = 4
	result("changes", n.change_count())
	n.row = 50
	result("row", n.row)
	result("twice", n.twice)
	result("shared", n.shared_number)
	result("constant", [Sample.LIMIT, Sample.TWO, Sample.HIGH])
	result("class_enum", ClassDB.class_get_enum_constants("Sample", "Kind"))
	result("bitfield", ClassDB.is_class_enum_bitfield("Sample", "Masks"))
	var listed: Dictionary = {{}}
	for property in n.get_property_list(): listed[property.name] = [
		property.type, property.hint, property.hint_string, property.usage]
	for name in ["speed", "kind", "masks", "layers", "note", "path", "target", "mesh",
			"tint", "items", "file", "hidden", "twice", "Units", "Motion"]:
		result("property_" + name, listed.get(name))
	var signature: Dictionary = {{}}
	for method_info in ClassDB.class_get_method_list("Sample", true): signature[method_info.name] = method_info
	result("defaults", signature["add"].default_args)
	result("argument_names", signature["add"].args.map(func(a: Dictionary) -> String: return a.name))
	result("default_speed", ClassDB.class_get_property_default_value("Sample", "speed"))
	result("default_table", ClassDB.class_get_property_default_value("Sample", "table"))
	result("can_revert", n.property_can_revert("speed"))
	var other := Sample.new()
	n.table["b"] = 2
	result("fresh_default", other.table)
	var copy := n.duplicate()
	result("duplicate", [copy is Sample, copy.count, copy != n])
	copy.free()
	other.free()
	var child := Child.new()
	child.count = 9
	result("child", [child.is_class("Sample"), child.extra, child.change_count(), child.get_class()])
	child.free()
	n.free()
"""


@pytest.fixture(scope="module")
def run(make_project: MakeProject) -> Run:
    """One engine run for all tests of this file."""
    project = make_project()
    project.python_module("sample", PYTHON)
    project.modules("sample")
    run = project.run_script(SCRIPT)
    assert run.code == 0, run.output
    return run


def test_every_variant_type_crosses_by_both_call_paths(run: Run) -> None:
    assert run.results["bad"] == "[]", run.output
    assert run.results["typed_good"] == "38"
    assert run.results["boxed_good"] == "38"


def test_there_is_no_error_and_no_leak(run: Run) -> None:
    assert run.errors() == [], run.output
    assert run.leaks() == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add_typed", "4.5"),
        ("add_boxed", "12.0"),
        ("signal", '[[2, "x", Vector2(1, 2)], [2, "x", Vector2(7, 7)]]'),
        ("null", "true"),
        ("kind", "1"),
        ("parent", "true"),
        ("no_parent", "true"),
        ("image", "[3, 2, 1]"),
        ("plain_list", "[5, 6, 2]"),
        ("call_it", "42"),
        ("give_function", "15"),
        ("argument_count", "1"),
        ("static", "5"),
        ("text", '"sample 3"'),
        ("dynamic", "99"),
        ("dynamic_set", '"x"'),
        ("changes", "1"),
        ("row", "10"),
        ("twice", "8"),
        ("shared", "7"),
        ("constant", "[12, 2, 2]"),
        ("class_enum", 'PackedStringArray("ONE", "TWO")'),
        ("bitfield", "true"),
        ("defaults", "[1.5, Vector2(1, 2)]"),
        ("default_speed", "64.0"),
        ("fresh_default", '{"a": 1}'),
        ("default_table", '{"a": 1}'),
        ("duplicate", "[true, 4, true]"),
        ("child", '[true, 1, 10, "Child"]'),
    ],
)
def test_declared_members_work_from_gdscript(run: Run, name: str, expected: str) -> None:
    assert run.results[name] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("speed", '[3, 1, "0.0,100.0,0.5,or_greater,suffix:px/s", 6]'),
        ("kind", '[2, 2, "One:1,Two:2", 65542]'),
        ("masks", '[2, 6, "Low:1,High:2", 518]'),
        ("layers", '[2, 8, "", 6]'),
        ("note", '[4, 18, "", 6]'),
        ("path", '[22, 26, "Node2D", 6]'),
        ("target", '[24, 34, "Node2D", 6]'),
        ("mesh", '[24, 17, "Mesh", 6]'),
        ("tint", '[20, 21, "", 6]'),
        ("items", '[28, 23, "2:", 6]'),
        ("file", '[4, 13, "*.map", 6]'),
        ("hidden", '[2, 0, "", 2]'),
        ("twice", '[2, 0, "", 268435460]'),
        ("Units", '[0, 0, "", 64]'),
        ("Motion", '[0, 0, "", 256]'),
    ],
)
def test_properties_are_described_to_the_inspector(run: Run, name: str, expected: str) -> None:
    assert run.results[f"property_{name}"] == expected
