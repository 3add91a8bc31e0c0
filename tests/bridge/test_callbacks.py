"""Callbacks: exceptions that end there, threads, the GIL, signals, virtuals."""

from __future__ import annotations

import json
import re

import pytest

from tests.bridge.conftest import MakeProject
from tests.bridge.engine_project import Run

PYTHON = '''
from __future__ import annotations

import sys
import threading
from typing import Any

from addons.pynav.bridge import *
from addons.pynav.bridge import engine


class Failing(GodotObject, base="Node2D"):
    """Fails everywhere."""

    bad_default: int = export(1, changed="_explode")

    def _explode(self) -> None:
        raise RuntimeError("changed failed")

    def _process(self, delta: float) -> None:
        raise RuntimeError("process failed")

    def _ready(self) -> None:
        raise KeyError("ready failed")

    def _get_configuration_warnings(self) -> list[str]:
        raise RuntimeError("warnings failed")

    @method
    def number(self) -> int:
        raise ValueError("number failed")

    @method
    def text(self) -> str:
        raise ValueError("text failed")

    @method
    def array(self) -> PackedInt32Array:
        return "not an array"

    @method
    def leave(self) -> int:
        sys.exit(3)

    @method
    def late(self) -> Any:
        return lambda: 1 / 0


class BadInit(GodotObject, base="Node"):
    """Its constructor fails."""

    def __init__(self) -> None:
        raise RuntimeError("init failed")

    @method
    def alive(self) -> bool:
        return True


class Worker(GodotObject, base="Node"):
    """Is called from the engine's own threads."""

    finished = signal("Done.", total=int)

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.total = 0
        self.threads: set[int] = set()
        self.idle_count = 0
        self.running = False

    @method
    def work(self, index: int) -> None:
        with self.lock:
            self.total += index
            self.threads.add(threading.get_ident())

    @method
    def seen(self) -> list:
        return [self.total, len(self.threads), threading.get_ident() in self.threads]

    @method
    def run_group(self, count: int) -> int:
        pool = singleton("WorkerThreadPool")
        group = pool.add_group_task(Callable(self.work), count, 2, True, "python")
        pool.wait_for_group_task_completion(group)
        return self.total

    @method
    def start_idle_counter(self) -> None:
        """A Python thread that counts while the engine, not Python, is at work."""
        self.running = True

        def count() -> None:
            while self.running:
                self.idle_count += 1

        self.thread = threading.Thread(target=count, daemon=True)
        self.thread.start()

    @method
    def counted(self) -> int:
        return self.idle_count

    @method
    def stop_idle_counter(self) -> None:
        self.running = False
        self.thread.join()

    @method
    def streams(self) -> list:
        print("to the output", end="")
        print(" in two pieces")
        sys.stderr.write("to the errors\\n")
        print("unfinished", end="", flush=True)
        return [sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.writable(), sys.getswitchinterval() < 0.001]


class Talker(GodotObject, base="Node"):
    """Signals in both directions."""

    spoken = signal("Said.", text=str, count=int)

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def hear(self, *arguments: Any) -> None:
        self.heard.append(arguments)

    @method
    def listen(self) -> dict:
        found = {"connect": self.spoken.connect(self.hear), "connected": self.spoken.is_connected(self.hear)}
        self.spoken.emit("a", 1)
        self.spoken.disconnect(self.hear)
        found["disconnected"] = not self.spoken.is_connected(self.hear)
        self.spoken.emit("b", 2)
        for name, arguments in (("few", ("a",)), ("type", (1, 2))):
            try:
                self.spoken.emit(*arguments)
                found[name] = "no error"
            except EngineCallError as error:
                found[name] = str(error)
        other = engine.Node()
        self.add_child(other)
        other.renamed.connect(self.hear)
        other.name = "New"
        other.free()
        found["heard"] = [list(x) for x in self.heard]
        signal_value = Signal(self, "spoken")
        found["signal_value"] = [signal_value.get_name(), signal_value.get_object() is self]
        return found

    @method
    def heard_count(self) -> int:
        return len(self.heard)

    @method
    def hear_from(self, emitter: GodotObject) -> None:
        emitter.spoken.connect(self.hear) if isinstance(emitter, Talker) else emitter.connect("custom", self.hear)


class Virtuals(GodotObject, base="Control"):
    """Virtuals with results of several types."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.notifications: list[int] = []

    def _enter_tree(self) -> None:
        self.calls.append("enter")

    def _ready(self) -> None:
        self.calls.append("ready")

    def _exit_tree(self) -> None:
        self.calls.append("exit")

    def _physics_process(self, delta: float) -> None:
        if "physics" not in self.calls:
            self.calls.append("physics")

    def _notification(self, what: int) -> None:
        self.notifications.append(what)

    def _get_minimum_size(self) -> Vector2:
        return Vector2(30, 40)

    def _get_tooltip(self, at_position: Vector2) -> str:
        return f"tip {at_position.x:.0f}"

    def _can_drop_data(self, at_position: Vector2, data: Any) -> bool:
        return data == {"a": 1}

    def _has_point(self, point: Vector2) -> bool:
        return point.x < 5

    def _get_configuration_warnings(self) -> list[str]:
        return ["one", "two"]

    @method
    def seen(self) -> list:
        return self.calls

    @method
    def saw_notification(self, what: int) -> bool:
        return what in self.notifications
'''

SCRIPT = """
func run() -> void:
	var f := Failing.new()
	root.add_child(f)
	result("number", f.number())
	result("text", f.text())
	result("array", f.array())
	result("leave", f.leave())
	f.bad_default = 7
	result("set_anyway", f.bad_default)
	result("late", f.late().call())
	for i in 120: await process_frame
	f.free()
	var b := BadInit.new()
	result("bad_init", b.alive())
	b.free()

	var w := Worker.new()
	root.add_child(w)
	var group := WorkerThreadPool.add_group_task(w.work, 200, 2, true)
	WorkerThreadPool.wait_for_group_task_completion(group)
	result("group", w.seen())
	result("python_group", w.run_group(100))
	var thread := Thread.new()
	thread.start(func() -> Array: return w.seen())
	result("thread", thread.wait_to_finish()[0])
	w.start_idle_counter()
	OS.delay_msec(50)
	var before: int = w.counted()
	OS.delay_msec(100)
	result("idle", w.counted() > before)
	w.stop_idle_counter()
	result("streams", w.streams())
	w.free()

	var t := Talker.new()
	root.add_child(t)
	result("listen", JSON.stringify(t.listen()))
	var other := Talker.new()
	other.hear_from(t)
	t.spoken.emit("x", 3)
	result("heard", other.heard_count())
	other.free()
	t.spoken.emit("y", 4)
	result("connections_left", t.spoken.get_connections().size())
	t.free()

	var v := Virtuals.new()
	root.add_child(v)
	for i in 3: await physics_frame
	result("minimum", v.get_combined_minimum_size())
	result("tooltip", v.get_tooltip(Vector2(7, 0)))
	result("seen", v.seen())
	result("notified", [v.saw_notification(Node.NOTIFICATION_READY), v.saw_notification(Node.NOTIFICATION_ENTER_TREE)])
	root.remove_child(v)
	result("exit", v.seen()[-1])
	v.free()
"""


@pytest.fixture(scope="module")
def run(make_project: MakeProject) -> Run:
    """One engine run for all tests of this file."""
    project = make_project()
    project.python_module("callbacks", PYTHON)
    project.modules("callbacks")
    run = project.run_script(SCRIPT, "--verbose")
    assert run.code == 0, run.output
    return run


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("number", "0"),
        ("text", '""'),
        ("array", "PackedInt32Array()"),
        ("leave", "0"),
        ("late", "null"),
        ("bad_init", "true"),
        ("set_anyway", "7"),
    ],
)
def test_an_exception_ends_at_the_callback_with_the_default_result(run: Run, name: str, expected: str) -> None:
    assert run.results[name] == expected, run.output


@pytest.mark.parametrize(
    "message",
    [
        "ValueError: number failed",
        "ValueError: text failed",
        "KeyError: 'ready failed'",
        "RuntimeError: changed failed",
        "RuntimeError: init failed",
        "ZeroDivisionError: division by zero",
        "SystemExit: 3",
    ],
)
def test_it_is_told_once_with_its_file_and_line(run: Run, message: str) -> None:
    told = [line for line in run.errors() if message in line]
    assert len(told) == 1, run.output
    place = run.output[run.output.index(told[0]) :]
    assert re.search(r"at: \S+ \(.*callbacks\.py:\d+\)", place.split("ERROR:")[1])


def test_a_failing_process_is_counted_not_repeated(run: Run) -> None:
    told = [line for line in run.errors() if "process failed" in line]
    assert len(told) == 3, told  # the first, the tenth and the hundredth time
    assert "10 times" in told[1]
    assert "100 times" in told[2]


def test_a_wrong_result_names_the_method(run: Run) -> None:
    assert run.lines_with("array() must return PackedInt32Array")


def test_callbacks_come_from_the_engines_threads(run: Run) -> None:
    total, threads, main_is_one = json.loads(run.results["group"])
    assert total == sum(range(200))
    assert threads >= 1
    assert not main_is_one
    assert run.results["python_group"] == str(sum(range(200)) + sum(range(100)))
    assert run.results["thread"] == run.results["python_group"]


def test_python_threads_run_while_the_engine_is_idle(run: Run) -> None:
    assert run.results["idle"] == "true"


def test_streams_are_real_and_reach_the_output(run: Run) -> None:
    assert run.results["streams"] == '[false, "utf-8", true, true]'
    assert run.lines_with("to the output in two pieces")
    assert run.lines_with("to the errors")
    assert run.lines_with("unfinished")


def test_signals_in_both_directions(run: Run) -> None:
    found = json.loads(json.loads(run.results["listen"]))
    assert found["heard"] == [["a", 1], []]
    assert found["connect"] == 0
    assert found["connected"] and found["disconnected"]
    assert "takes 2 arguments, got 1" in found["few"]
    assert "argument 'text'" in found["type"]
    assert found["signal_value"] == ["spoken", True]
    assert run.results["heard"] == "1"
    assert run.results["connections_left"] == "0"


def test_virtuals_of_several_types(run: Run) -> None:
    assert run.results["minimum"] == "Vector2(30, 40)"
    assert run.results["tooltip"] == '"tip 7"'
    assert run.results["seen"] == '["enter", "ready", "physics"]'
    assert run.results["notified"] == "[true, true]"
    assert run.results["exit"] == '"exit"'


def test_nothing_leaks(run: Run) -> None:
    assert run.leaks() == []
