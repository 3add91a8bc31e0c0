"""Packed arrays as numpy views: no copy, a lifetime that is kept, memory that does not grow."""

from __future__ import annotations

import json

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import Run

PYTHON = '''
from __future__ import annotations

import gc
from typing import Any

import numpy

from addons.pynav.bridge import *


def address(view) -> int:
    return view.__array_interface__["data"][0]


def fails(action, *words) -> Any:
    try:
        action()
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return True if all(word in text for word in words) else text
    return "no error"


class Arrays(GodotObject, base="Node"):
    """Runs the checks."""

    def __init__(self) -> None:
        self.kept: Any = None

    @method
    def views(self) -> dict:
        found = {}
        array = PackedFloat32Array(1000)
        found["zeros"] = bool((array.view() == 0).all())
        first = address(array.edit())
        array.edit()[:] = numpy.arange(1000)
        found["edit_has_no_copy"] = address(array.edit()) == first
        found["view_has_no_copy"] = address(array.view()) == first
        view = array.view()
        found["view_is_read_only"] = fails(lambda: view.__setitem__(0, 1.0), "read-only")
        array.edit()[0] = -1.0
        found["view_never_changes"] = float(view[0]) == 0.0 and array[0] == -1.0
        edit = array.edit()
        found["edit_is_the_same_while_in_use"] = array.edit() is edit
        found["resize_refused"] = fails(lambda: array.resize(5), "BufferError", "PackedFloat32Array", "view", "1000")
        self.kept = array
        self.set_meta("given", array)
        found["stale_after_hand_over"] = fails(lambda: edit.__setitem__(0, 5.0), "read-only")
        found["kept_view_is_alive"] = float(edit[999]) == 999.0
        new = array.edit()
        new[0] = 77.0
        found["engine_keeps_its_own"] = self.get_meta("given")[0] == -1.0
        found["new_view_is_new"] = new is not edit and float(edit[0]) == -1.0
        del edit, new
        self.remove_meta("given")
        array.resize(2000)
        found["grown_is_zero"] = len(array) == 2000 and array[1999] == 0.0 and array[0] == 77.0
        array.resize(3)
        found["shrunk"] = array.to_list() == [77.0, 1.0, 2.0]
        own = PackedFloat32Array(100)
        at = own.edit_address()
        found["edit_address_is_the_storage"] = at == address(own.edit()) and at == own.edit_address()
        self.set_meta("shared", own)
        other = own.edit_address()
        own.edit()[0] = 5.0
        found["edit_address_is_its_own"] = other != at and self.get_meta("shared")[0] == 0.0 and other == own.edit_address()
        self.remove_meta("shared")
        found["edit_address_of_nothing"] = PackedByteArray().edit_address() == 0
        in_use = own.edit()
        found["edit_address_refused"] = fails(own.edit_address, "BufferError", "PackedFloat32Array", "view")
        del in_use
        alive = PackedInt32Array([1, 2, 3]).edit()
        gc.collect()
        found["view_keeps_its_array"] = alive.tolist() == [1, 2, 3]
        outlived = PackedVector3Array([(1, 2, 3)]).view()
        gc.collect()
        found["view_keeps_its_storage"] = outlived.tolist() == [[1, 2, 3]]
        found["shapes"] = [list(PackedVector2Array(4).edit().shape), list(PackedColorArray(2).view().shape),
                           list(PackedByteArray(0).edit().shape), list(PackedVector4Array(0).view().shape)]
        found["dtypes"] = [str(kind(1).view().dtype) for kind in (PackedByteArray, PackedInt32Array, PackedInt64Array,
                                                                 PackedFloat32Array,
                                                                 PackedFloat64Array, PackedVector2Array)]
        found["wrong_shape"] = fails(lambda: PackedVector2Array(numpy.zeros((3, 3), "f4")), "(n, 2)", "(3, 3)")
        found["wrong_kind"] = fails(lambda: PackedInt32Array([1.5]), "PackedInt32Array", "float64")
        found["no_such_array"] = fails(lambda: self.set_meta("x", numpy.zeros((2, 2, 2))), "float64", "(2, 2, 2)")
        found["negative"] = fails(lambda: PackedByteArray(-1), "negative")
        return found

    @method
    def from_numpy(self, count: int) -> PackedVector2Array:
        return numpy.arange(2 * count, dtype="f4").reshape(count, 2)

    @method
    def total(self, values: PackedFloat32Array) -> float:
        return float(values.view().sum())

    @method
    def double(self, values: PackedByteArray) -> PackedByteArray:
        values.edit()[:] += 1
        return values

    @method
    def keep(self, values: PackedByteArray) -> None:
        self.kept = values.view()

    @method
    def kept_sum(self) -> int:
        return int(self.kept.sum())
'''

SCRIPT = """
func memory() -> int:
	var text := FileAccess.open("/proc/self/statm", FileAccess.READ).get_line()
	return int(text.split(" ")[1]) * 4096

func run() -> void:
	var a := Arrays.new()
	root.add_child(a)
	result("views", JSON.stringify(a.views()))
	result("from_numpy", a.from_numpy(2))
	result("total", a.total(PackedFloat32Array([1.5, 2.5])))
	var own := PackedByteArray([1, 2, 3])
	var other: PackedByteArray = a.double(own)
	result("caller_keeps_its_own", [own, other])
	a.keep(own)
	own[0] = 200
	own.resize(100000)
	result("kept_sum", a.kept_sum())
	var block := PackedByteArray()
	block.resize(65536)
	for i in 500: block = a.double(block)
	var before := memory()
	for i in 10000: block = a.double(block)
	result("growth", memory() - before)
	result("counted", block[17])
	a.free()
"""


@pytest.fixture(scope="module")
def run(make_project: MakeProject) -> Run:
    """One engine run for all tests of this file."""
    project = make_project()
    project.python_module("arrays", PYTHON)
    project.modules("arrays")
    run = project.run_script(SCRIPT)
    assert run.code == 0, run.output
    return run


def test_views_keep_their_promises(run: Run) -> None:
    found = json.loads(json.loads(run.results["views"]))
    assert found.pop("shapes") == [[4, 2], [2, 4], [0], [0, 4]]
    assert found.pop("dtypes") == ["uint8", "int32", "int64", "float32", "float64", "float32"]
    assert found
    assert {name: value for name, value in found.items() if value is not True} == {}
    assert run.errors() == [], run.output


def test_arrays_cross_both_ways(run: Run) -> None:
    assert run.results["from_numpy"] == "PackedVector2Array(0, 1, 2, 3)"
    assert run.results["total"] == "4.0"
    assert run.results["caller_keeps_its_own"] == "[PackedByteArray(1, 2, 3), PackedByteArray(2, 3, 4)]"
    assert run.results["kept_sum"] == "6"


def test_ten_thousand_round_trips_do_not_grow(run: Run) -> None:
    assert int(run.results["counted"]) == (10_500 % 256)
    assert int(run.results["growth"]) < 5 * 1024 * 1024
