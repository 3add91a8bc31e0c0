"""Recorded commands: plain bytes, told again bit for bit on any number of threads; damage refused in words."""

from collections.abc import Iterator

import pytest

from pynav.commands import CommandError, CommandRecording
from pynav.kernels import get_threads, set_threads
from pynav.world import World
from tests.determinism.scenes import ARMY, STEPS, Variation

UNITS = 300
TICKS = 120


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threads = get_threads()
    yield
    set_threads(threads)


def start() -> World:
    world = World(seed=9)
    ARMY.make(world, UNITS, Variation())
    return world


def act_without_commands(world: World, tick: int) -> None:
    """What the scene does beside commands: the game's own part of a replay."""
    commands, world._commands = world._commands, _Silent()  # type: ignore[assignment]
    try:
        ARMY.act(world, tick)
    finally:
        world._commands = commands


class _Silent:
    """Takes commands and does nothing; the world must still be told of layers."""

    def __getattr__(self, name: str) -> object:
        return lambda *given, **named: None


def recorded() -> tuple[bytes, str]:
    world = start()
    recording = world.commands.start_recording()
    for tick in range(TICKS):
        if tick != 100:  # the change of a layer comes with commands in between; the scene of determinism plays it
            ARMY.act(world, tick)
        world.step(STEPS[tick % len(STEPS)])
    assert len(recording) > 20
    return recording.to_bytes(), world.state_hash()


def test_a_recording_is_played_again_bit_for_bit_on_any_number_of_threads() -> None:
    data, expected = recorded()
    assert recorded() == (data, expected)
    for threads in (1, 2, 3, 7, 16):
        set_threads(threads)
        world = start()
        recording = CommandRecording.from_bytes(data)
        given = 0
        for tick in range(TICKS):
            if tick == 60:
                saved = world.save()
                world = World()
                world.restore(saved)
            given += recording.give_due(world)
            if tick != 100:
                act_without_commands(world, tick)
            world.step(STEPS[tick % len(STEPS)])
        assert given == len(recording)
        assert world.state_hash() == expected, threads
    assert recording.to_bytes() == data


def test_recordings_that_are_none_are_refused_in_words() -> None:
    data, _ = recorded()
    world = start()
    cases = [
        (b"", "expected a recording of commands: not a snapshot"),
        (data[:-3], "truncated"),
        (data[:60] + bytes([data[60] ^ 1]) + data[61:], "corrupt"),
        (world.save(), "a snapshot of something else"),
    ]
    for damaged, words in cases:
        with pytest.raises(CommandError, match=words):
            CommandRecording.from_bytes(damaged)


def test_a_recording_of_another_game_is_refused() -> None:
    data, _ = recorded()
    world = World(seed=9)
    world.set_grid(start().grid)
    with pytest.raises(CommandError, match="expected units that live"):
        for _ in range(30):
            CommandRecording.from_bytes(data).give_due(world)
            world.step(1 / 60)


def test_nothing_is_noted_that_was_refused_or_after_the_end() -> None:
    world = start()
    recording = world.commands.start_recording()
    with pytest.raises(CommandError):
        world.commands.move(world.crowds[0], (float("nan"), 1.0))
    assert len(recording) == 0
    world.commands.hold(world.crowds[0])
    world.commands.stop_recording()
    world.commands.stop(world.crowds[0])
    assert [order.command.kind.name for order in recording.orders if order.command] == ["HOLD"]
