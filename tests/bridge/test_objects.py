"""Objects: freed ones, references, identity, resources, and what reaches their count in the end."""

from __future__ import annotations

import json

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import Run

PYTHON = '''
from __future__ import annotations

import gc
import json
from typing import Any

import numpy

from addons.pynav.bridge import *
from addons.pynav.bridge import engine, instances, callables


class Thing(GodotObject, base="Resource"):
    """A resource."""

    amount: int = export(1)
    points: PackedVector2Array = export(None)
    inner: GodotObject | None = export(None, resource="Resource")


class Plain(GodotObject, base="RefCounted"):
    """Reference counted."""


class Bare(GodotObject, base="Object"):
    """Neither."""


class Holder(GodotObject, base="Node"):
    """Runs the checks."""

    thing: Thing | None = export(None)
    friend: GodotObject | None = export(None, node="Node")

    @method
    def live(self) -> int:
        gc.collect()
        return instances.live_count()

    @method
    def callables(self) -> int:
        return callables.live_callables()

    @method
    def freed(self) -> dict:
        node = engine.Node2D()
        same = engine.Node2D()
        found = {"valid": is_valid(node), "equal": node == node, "different": node != same}
        node.free()
        same.free()
        found["invalid"] = not is_valid(node)
        for name, action in (("method", lambda: node.get_child_count()), ("property", lambda: setattr(node, "position", (1, 2))),
                             ("free", node.free), ("argument", lambda: self.add_child(node))):
            try:
                action()
                found[name] = "no error"
            except FreedObjectError as error:
                found[name] = "freed" in str(error)
        own = Holder()
        own.free()
        try:
            own.get_child_count()
            found["own"] = "no error"
        except FreedObjectError:
            found["own"] = True
        queued = engine.Node()
        self.add_child(queued)
        queued.queue_free()
        self.queued = queued
        return found

    @method
    def after_queue_free(self) -> bool:
        return not is_valid(self.queued)

    @method
    def foreign_references(self) -> list:
        image = engine.Image.create_empty(4, 4, False, 5)
        first = image.get_reference_count()
        texture = engine.ImageTexture.create_from_image(image)
        again = texture.get_image()
        material = engine.CanvasItemMaterial()
        self.kept = material
        counts = [first, image.get_reference_count(), texture.get_reference_count(), material.get_reference_count()]
        item = engine.Sprite2D()
        item.material = material
        counts.append(material.get_reference_count())
        del self.kept
        counts.append(material.get_reference_count())
        item.free()
        counts.append(material.get_reference_count())
        return counts

    @method
    def hidden_accessors(self) -> list:
        control, bits = engine.Control(), engine.BitMap()
        control.position, control.size, control.anchor_right = Vector2(30, 40), Vector2(7, 8), 0.5
        bits.create(Vector2i(4, 2))
        found = [control.get_position() == Vector2(30, 40), control.size == Vector2(7, 8), control.anchor_right]
        found.append(bits.data["size"] == Vector2i(4, 2))
        control.free()
        return found

    @method
    def own_references(self) -> list:
        before = instances.live_count()
        plain = Plain()
        counts = [plain.get_reference_count()]
        array = Array([plain])
        counts.append(plain.get_reference_count())
        same = array[0] is plain
        del array
        counts.append(plain.get_reference_count())
        plain.name_in_python = "kept"
        del plain
        gc.collect()
        self.before = before
        return [*counts, same]

    @method
    def own_left(self) -> int:
        return self.live() - self.before

    @method
    def make_plain(self) -> Plain:
        made = Plain()
        made.mark = 41
        return made

    @method
    def mark_of(self, plain: Plain) -> int:
        plain.mark += 1
        return plain.mark

    @method
    def refused(self) -> dict:
        found = {}
        node = engine.Node2D()
        for name, action in (
            ("wrong_type", lambda: node.set_position("nowhere")), ("too_many", lambda: node.get_child_count(1, 2, 3)),
            ("too_few", lambda: node.set_position()), ("no_object", lambda: node.add_child(5)),
            ("no_method", lambda: node.no_such_method()), ("vararg", lambda: node.call("no_such_method")),
            ("refcounted_free", lambda: engine.Image().free()), ("no_singleton", lambda: singleton("Nothing")),
            ("abstract", lambda: engine.CanvasItem()), ("constructor", lambda: Plain(1)),
            ("int_from_float", lambda: node.set_z_index(1.5)),
        ):
            try:
                action()
                found[name] = "no error"
            except (TypeError, AttributeError, EngineCallError) as error:
                found[name] = f"{type(error).__name__}: {error}"
        node.free()
        return found

    def watched(self, node):
        other = engine.Node2D()
        watch = WatchedAnswers((node, "get_global_transform"), (other, "get_global_transform"), (other, "is_visible"))
        seen = [watch.changed(), watch.changed(), watch.is_true(2)]
        node.position = Vector2(3, 4)
        seen += [watch.changed(), watch.changed()]
        other.visible = False
        seen += [watch.changed(), watch.changed(), watch.is_true(2)]
        other.free()
        for ask in (watch.changed, lambda: WatchedAnswers((node, "get_groups")), lambda: WatchedAnswers((node, "get_child"))):
            try:
                ask()
                seen.append("")
            except BridgeError as error:
                seen.append(str(error))
        right = seen[:8] == [True, False, True, True, False, True, False, False]
        return [right, "Node2D was freed" in seen[8], all("with a plain result" in text for text in seen[9:])]

    def gathered(self, node: Any) -> list:
        """Places of many nodes in one call; one of them is freed."""
        nodes = [engine.Node2D() for _ in range(70)]
        for number, one in enumerate(nodes):
            one.position = Vector2(number, -number)
        ids = numpy.array([one.get_instance_id() for one in nodes], numpy.uint64)
        nodes[5].free()
        places = GatheredAnswers(node, "get_global_position")
        found = places.ask(ids)[:, :2]
        right = [found[number].tolist() == [number, -number] for number in range(70)]
        moved = numpy.arange(140, dtype=numpy.float32).reshape(70, 2)
        ScatteredArguments(node, "set_position").give(ids, moved)
        right.append([(one.position.x, one.position.y) for one in nodes[6:]] == [tuple(row) for row in moved[6:].tolist()])
        for one in nodes[:5] + nodes[6:]:
            one.free()
        refused = []
        for call in (lambda: ScatteredArguments(node, "set_rotation"), lambda: ScatteredArguments(node, "get_position"),
                     lambda: ScatteredArguments(node, "set_position").give(ids, moved[:69])):
            try:
                call()
            except EngineCallError as error:
                refused.append("takes one vector, no result" in str(error) or "(70, 2), got (69, 2)" in str(error))
        for name in ("get_groups", "set_position", "no_such_method"):
            try:
                GatheredAnswers(node, name)
            except EngineCallError as error:
                refused.append("without arguments, plain result" in str(error))
        return [sum(right), right[5] or not numpy.isnan(found[5]).all(), len(places.ask(ids[:0])), all(refused) and len(refused)]

    @method
    def servers(self) -> list:
        server = singleton("RenderingServer")
        mesh = server.multimesh_create()
        valid = mesh.is_valid()
        server.multimesh_allocate_data(mesh, 4, 0)
        buffer = PackedFloat32Array(4 * 8)
        call = prepare(server, "multimesh_set_buffer", mesh, buffer)
        for number in range(3):
            buffer.edit()[:] = number
            call()
        back = server.multimesh_get_buffer(mesh)
        server.free_rid(mesh)
        node = engine.Node2D()
        watched = [*self.watched(node), *self.gathered(node)]
        node.free()
        return [*watched, valid, len(back), isinstance(engine.KEY_ESCAPE, int), engine.Node.NOTIFICATION_READY,
                engine.str_to_var("Vector2(1, 2)") == Vector2(1, 2), engine.maxi(2, 7)]
'''

SCRIPT = """
func run() -> void:
	var h := Holder.new()
	root.add_child(h)
	result("freed", JSON.stringify(h.freed()))
	await process_frame
	await process_frame
	result("queue_freed", h.after_queue_free())
	result("foreign", h.foreign_references())
	result("hidden", h.hidden_accessors())
	result("own", h.own_references())
	for i in 3: await process_frame
	result("own_left", h.own_left())
	result("refused", JSON.stringify(h.refused()))
	result("servers", h.servers())

	var plain: Plain = h.make_plain()
	result("identity", [h.mark_of(plain), h.mark_of(plain), plain.get_reference_count()])
	plain = null
	for i in 3: await process_frame
	var before := h.live()
	for i in 100:
		var passing := Plain.new()
		passing.set_meta("used", true)
	for i in 4: await process_frame
	result("plain_left", h.live() - before)

	var bare := Bare.new()
	result("bare", [is_instance_valid(bare), bare.get_class()])
	bare.free()

	var thing := Thing.new()
	thing.amount = 5
	thing.points = PackedVector2Array([Vector2(1, 2), Vector2(3, 4)])
	thing.inner = Thing.new()
	thing.inner.amount = 6
	result("save", ResourceSaver.save(thing, "user://thing.tres"))
	result("save_binary", ResourceSaver.save(thing, "user://thing.res"))
	var loaded: Thing = ResourceLoader.load("user://thing.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	result("loaded", [loaded.amount, loaded.points, loaded.inner.amount, loaded != thing])
	var binary: Thing = ResourceLoader.load("user://thing.res", "", ResourceLoader.CACHE_MODE_IGNORE)
	result("loaded_binary", [binary.amount, binary.points, binary.inner.amount])
	var flat: Thing = thing.duplicate()
	var deep: Thing = thing.duplicate(true)
	result("duplicate", [flat.amount, flat.inner == thing.inner, deep.inner == thing.inner, deep.inner.amount])
	ResourceLoader.load_threaded_request("user://thing.tres", "", false, ResourceLoader.CACHE_MODE_IGNORE)
	var threaded: Thing = ResourceLoader.load_threaded_get("user://thing.tres")
	result("threaded", threaded.amount)

	h.thing = thing
	var friend := Node.new()
	h.add_child(friend)
	h.friend = friend
	friend.owner = h
	var packed := PackedScene.new()
	result("pack", packed.pack(h))
	result("save_scene", ResourceSaver.save(packed, "user://holder.tscn"))
	var again: Holder = ResourceLoader.load("user://holder.tscn", "", ResourceLoader.CACHE_MODE_IGNORE).instantiate()
	result("scene", [again.thing.amount, again.friend == again.get_child(0), again.get_child_count()])
	again.free()
	friend.free()
	result("freed_property", h.friend == null)
	h.thing = null
	h.free()
"""


@pytest.fixture(scope="module")
def run(make_project: MakeProject) -> Run:
    """One engine run for all tests of this file, with the engine's own account of leaks."""
    project = make_project()
    project.python_module("things", PYTHON)
    project.modules("things")
    run = project.run_script(SCRIPT, "--verbose")
    assert run.code == 0, run.output
    return run


def test_nothing_leaks_by_the_engines_own_account(run: Run) -> None:
    assert run.leaks() == []
    assert run.errors() == [], run.output


def test_a_freed_object_is_an_error_in_words(run: Run) -> None:
    found = json.loads(json.loads(run.results["freed"]))
    assert all(value is True for value in found.values()), found
    assert run.results["queue_freed"] == "true"


def test_reference_counts_of_the_engines_objects(run: Run) -> None:
    assert run.results["foreign"] == "[1, 1, 1, 1, 2, 2, 1]"


def test_properties_whose_accessors_the_engine_keeps_to_itself(run: Run) -> None:
    assert run.results["hidden"] == "[true, true, 0.5, true]"


def test_reference_counts_and_identity_of_python_objects(run: Run) -> None:
    assert run.results["own"] == "[1, 2, 1, true]"
    assert run.results["own_left"] == "0"
    assert run.results["identity"] == "[42, 43, 2]"
    assert run.results["plain_left"] == "0"
    assert run.results["bare"] == '[true, "Bare"]'


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong_type", ["Node2D.set_position", "position", "expected Vector2", "'nowhere'"]),
        ("too_many", ["get_child_count", "got 3"]),
        ("too_few", ["set_position", "takes 1 arguments, got 0"]),
        ("no_object", ["add_child", "expected an engine object", "5"]),
        ("no_method", ["no_such_method"]),
        ("vararg", ["no such method"]),
        ("refcounted_free", ["reference counted"]),
        ("no_singleton", ["no singleton 'Nothing'"]),
        ("abstract", ["CanvasItem cannot be constructed"]),
        ("constructor", ["takes no arguments"]),
        ("int_from_float", ["set_z_index", "expected int", "1.5"]),
    ],
)
def test_a_wrong_call_is_refused_in_words(run: Run, name: str, words: list[str]) -> None:
    said = json.loads(json.loads(run.results["refused"]))[name]
    assert all(word in said for word in words), said


def test_servers_constants_and_utilities(run: Run) -> None:
    assert run.results["servers"] == "[true, true, true, 70, false, 0, 6, true, 32, true, 13, true, 7]"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("save", "0"),
        ("save_binary", "0"),
        ("loaded", "[5, PackedVector2Array(1, 2, 3, 4), 6, true]"),
        ("loaded_binary", "[5, PackedVector2Array(1, 2, 3, 4), 6]"),
        ("duplicate", "[5, true, false, 6]"),
        ("threaded", "5"),
        ("pack", "0"),
        ("save_scene", "0"),
        ("scene", "[5, true, 1]"),
        ("freed_property", "true"),
    ],
)
def test_resources_and_scenes_survive_save_load_and_duplicate(run: Run, name: str, expected: str) -> None:
    assert run.results[name] == expected
