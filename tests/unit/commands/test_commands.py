"""Commands: to any selection, across crowds and layers; queues, groups that come and go, refusals in words."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.commands import CommandError, CommandKind
from pynav.crowd.agent_layout import GROUP, HOLDING, IDLE, MEMBERS, REMOVED, STATUS
from pynav.crowd.crowd import STATUS_ARRIVED, STATUS_IDLE, STATUS_UNREACHABLE, STATUS_WALKING, Crowd
from pynav.world import World
from tests.unit.crowd.worlds import TICK, open_world, run, world_of


def squads(world: World, count: int = 8) -> tuple[Crowd, Crowd]:
    """Soldiers and archers on the left."""
    soldiers, archers = world.add_crowd(0, 4.0, 0.3), world.add_crowd(0, 5.0, 0.25)
    for number, crowd in enumerate((soldiers, archers)):
        rows = np.arange(count) % 4
        crowd.spawn(np.stack([4.5 + 3 * number + np.arange(count) // 4, 4.5 + rows], axis=1))
    return soldiers, archers


def check_members(world: World) -> None:
    """The counts of the groups are those of the agents, and no group stands that nobody needs."""
    _, tags = world._table.now
    own = tags[:, : world._table.count]
    there = own[GROUP, own[STATUS] != REMOVED]
    counted = np.bincount(there, minlength=world._groups.row_count)
    assert counted.tolist() == world._groups.counters[MEMBERS, : world._groups.row_count].tolist()
    assert sum(flow.user_count for flow in world._flows.flows if flow is not None) == sum(
        (own_flow is not None) + len(world._orders.stand_ins[group]) for group, own_flow in enumerate(world._orders.flow)
    )


def play(world: World, seconds: float) -> None:
    for _ in range(round(seconds / TICK)):
        world.step(TICK)
        check_members(world)


def near(crowd: Crowd, ids: npt.ArrayLike, x: float, y: float, within: float = 2.5) -> bool:
    away = crowd.positions[np.asarray(ids)] - np.array([x, y], dtype=np.float32)
    return bool((np.hypot(away[:, 0], away[:, 1]) <= within).all())


def test_a_selection_across_crowds_goes_where_it_is_told_and_nobody_else_does() -> None:
    world = open_world(40, 30)
    soldiers, archers = squads(world)
    units = np.concatenate([soldiers.handles([0, 3, 5]), archers.handles([1, 2])])
    command = world.commands.move(units, (30.5, 20.5))
    before = soldiers.positions[[1, 2, 4, 6, 7]].copy()
    play(world, 12.0)
    assert near(soldiers, [0, 3, 5], 30.5, 20.5) and near(archers, [1, 2], 30.5, 20.5)
    assert (soldiers.states[[0, 3, 5]] == STATUS_ARRIVED).all() and (soldiers.states[[1, 2, 4, 6, 7]] == STATUS_IDLE).all()
    assert np.abs(soldiers.positions[[1, 2, 4, 6, 7]] - before).max() < 1.0
    assert sorted(world.commands.units_of(command).tolist()) == sorted(units.tolist())
    told = world.commands.get(command)
    assert (told.kind, told.tick, told.place) == (CommandKind.MOVE, 0, (30.5, 20.5))
    assert world.commands.take_finished() == [command] and world.commands.take_finished() == []
    assert soldiers.take_arrived().tolist() == [0, 3, 5] and archers.take_arrived().tolist() == [1, 2]
    assert soldiers.arrived_count == 0  # of the crowd's own goal


@pytest.mark.parametrize("tick", range(4))
def test_a_command_that_has_just_been_given_is_not_told_as_finished(tick: int) -> None:
    world = open_world(40, 30)
    soldiers, _ = squads(world)
    for _ in range(tick):
        world.step(TICK)
    command = world.commands.move(soldiers, (30.5, 20.5))
    play(world, 1.0)
    assert world.commands.take_finished() == []
    play(world, 20.0)
    assert world.commands.take_finished() == [command]


def test_units_of_one_layer_share_a_group_and_a_flow_those_of_several_have_one_each() -> None:
    world = open_world(40, 30)
    soldiers, archers = squads(world)
    giants = world.add_crowd(0, 3.0, 0.9)
    giants.spawn([[4.5, 20.5], [8.5, 20.5]])
    everybody = np.concatenate([soldiers.handles(), archers.handles(), giants.handles()])
    command = world.commands.move(everybody, (30.5, 15.5))
    groups = [group for group, stage in world.commands._groups.stages.items() if stage.command == 0]
    assert sorted(world._groups.layer_key[group] for group in groups) == [(0, 1), (0, 2)]
    assert len([flow for flow in world._flows.flows if flow is not None]) == 2
    play(world, 14.0)
    assert near(giants, [0, 1], 30.5, 15.5, 5.0) and near(soldiers, range(8), 30.5, 15.5, 5.0)
    assert world.commands.take_finished() == [command]


def test_the_crowds_own_goal_is_for_those_without_a_command_and_for_the_released() -> None:
    world = open_world(40, 30)
    soldiers, _ = squads(world)
    soldiers.set_goal_point(30.5, 4.5)
    world.commands.move(soldiers.handles([0, 1]), (5.5, 25.5))
    play(world, 13.0)
    assert near(soldiers, [0, 1], 5.5, 25.5) and near(soldiers, [2, 3, 4, 5, 6, 7], 30.5, 4.5)
    assert soldiers.arrived_count == 6 and soldiers.own_count == 6 and soldiers.has_all_arrived()
    world.commands.release(soldiers.handles([0]))
    assert not soldiers.has_all_arrived()
    play(world, 14.0)
    assert near(soldiers, [0], 30.5, 4.5, 3.0) and near(soldiers, [1], 5.5, 25.5)
    assert soldiers.arrived_count == 7


def test_groups_and_commands_that_nobody_needs_are_freed_and_their_handles_die() -> None:
    world = open_world(40, 30)
    soldiers, _ = squads(world)
    first = world.commands.move(soldiers.handles([0, 1]), (30.5, 20.5))
    world.step(TICK)
    rows = world._groups.row_count
    second = world.commands.move(soldiers.handles([0]), (20.5, 20.5))
    assert world.commands.is_alive(first) and world.commands.units_of(first).tolist() == soldiers.handles([1]).tolist()
    soldiers.remove([1])
    play(world, 0.1)
    assert not world.commands.is_alive(first)
    with pytest.raises(CommandError, match=f"expected a command that units follow, got {first}"):
        world.commands.get(first)
    third = world.commands.move(soldiers.handles([2]), (21.5, 20.5))
    assert third & 0xFFFFFFFF == first & 0xFFFFFFFF and third != first  # the same row, another generation
    assert world._groups.row_count == rows + 1 and world.commands.is_alive(second)
    soldiers.clear()
    play(world, 0.1)
    assert world.commands._groups.stages == {} and all(flow is None for flow in world._flows.flows)


def test_a_queue_is_carried_out_unit_by_unit() -> None:
    world = open_world(40, 30)
    soldiers, archers = squads(world)
    units = np.concatenate([soldiers.handles(), archers.handles()])
    first = world.commands.move(units, (20.5, 5.5))
    second = world.commands.move(units, (20.5, 25.5), queued=True)
    third = world.commands.hold(soldiers.handles(), queued=True)
    assert world.commands.queue_of(int(units[0])) == [first, second, third]
    assert world.commands.queue_of(int(units[-1])) == [first, second]
    seen = set()
    for _ in range(1000):
        world.step(TICK)
        check_members(world)
        seen.add(tuple(np.unique(world.commands.commands_of(units)).tolist()))
    assert any(len(commands) > 1 for commands in seen)  # some were still on their way to the first when others had passed
    assert near(soldiers, range(8), 20.5, 25.5, 4.0) and near(archers, range(8), 20.5, 25.5, 4.0)
    assert (soldiers.states == HOLDING).all() and (archers.states == STATUS_ARRIVED).all()
    assert world.commands.take_finished() == [first, second]
    assert soldiers.take_arrived().tolist() == []  # a queue that goes on is no arrival
    assert archers.take_arrived().tolist() == list(range(8))


def test_the_queue_of_some_units_is_changed_without_the_others_noticing() -> None:
    worlds = [open_world(40, 30), open_world(40, 30)]
    for world in worlds:
        soldiers, _ = squads(world)
        world.commands.move(soldiers.handles(), (20.5, 5.5))
        world.commands.move(soldiers.handles(), (20.5, 25.5), queued=True)
        play(world, 0.5)
    changed, unchanged = (world.crowds[0] for world in worlds)
    worlds[0].commands.move(changed.handles([0, 1, 2]), (35.5, 25.5), queued=True)
    for world in worlds:
        play(world, 0.5)
    assert np.array_equal(changed.positions, unchanged.positions)  # they walk on as they did
    play(worlds[0], 16.5)
    assert near(changed, [0, 1, 2], 35.5, 25.5) and near(changed, [3, 4, 5, 6, 7], 20.5, 25.5)


def test_who_has_nothing_to_do_begins_a_queued_command_at_once() -> None:
    world = open_world(40, 30)
    soldiers, _ = squads(world)
    world.commands.move(soldiers.handles([0]), (6.5, 6.5))
    world.commands.hold(soldiers.handles([1]))
    play(world, 3.0)
    assert soldiers.states[0] == STATUS_ARRIVED
    world.commands.move(soldiers.handles([0, 1, 2]), (30.5, 20.5), queued=True)
    world.step(TICK)
    assert (soldiers.states[:3] == STATUS_WALKING).all()


def test_a_patrol_goes_to_and_fro_and_ends_where_something_is_queued_behind_it() -> None:
    world = open_world(40, 12)
    soldiers, _ = squads(world, 4)
    patrol = world.commands.patrol(soldiers.handles(), (24.5, 5.5))
    turns = 0
    for _ in range(1500):
        world.step(TICK)
        check_members(world)
        x = soldiers.positions[0, 0]
        turns += bool(x > 22.0 if turns % 2 == 0 else x < 7.0)
    assert turns >= 4  # two whole rounds
    assert world.commands.take_finished() == [] and soldiers.take_arrived().tolist() == []
    world.commands.move(soldiers.handles(), (35.5, 10.5), queued=True)
    play(world, 18.0)
    assert near(soldiers, range(4), 35.5, 10.5) and not world.commands.is_alive(patrol)


def test_followers_stay_near_and_go_on_with_their_queue_once_the_followed_is_gone() -> None:
    world = open_world(60, 20)
    soldiers, archers = squads(world, 4)
    leader = int(soldiers.handles([0])[0])
    world.commands.follow(archers.handles(), leader, distance=2.0)
    world.commands.move(archers.handles(), (10.5, 15.5), queued=True)
    world.commands.move([leader], (50.5, 10.5))
    play(world, 16.0)
    assert near(soldiers, [0], 50.5, 10.5) and near(archers, range(4), 50.5, 10.5, 4.5)
    assert archers.take_arrived().tolist() == []
    soldiers.remove([0])
    play(world, 20.0)
    assert near(archers, range(4), 10.5, 15.5)


def test_a_crowd_can_be_followed() -> None:
    world = open_world(60, 20)
    soldiers, archers = squads(world, 4)
    soldiers.set_goal_point(50.5, 10.5)
    world.commands.follow(archers, soldiers, distance=2.0)
    play(world, 16.0)
    assert near(archers, range(4), 50.5, 10.5, 5.0)


def test_who_holds_ground_is_pushed_by_nobody_and_who_yields_is() -> None:
    moved = []
    for yields in (False, True):
        world = world_of("#" * 24, "." * 24, "#" * 24)
        guard, crowd = world.add_crowd(0, 3.0, 0.3), world.add_crowd(0, 3.0, 0.3)
        guard.spawn([[12.5, 1.5]])
        crowd.spawn([[2.5, 1.5], [3.5, 1.5], [4.5, 1.5]])
        world.commands.hold(guard, yields=yields)
        world.step(TICK)
        assert guard.states[0] == (IDLE if yields else HOLDING)
        world.commands.move(crowd, (22.5, 1.5))
        run(world, 8.0)
        moved.append((float(np.abs(guard.positions[0] - (12.5, 1.5)).max()), float(crowd.positions[:, 0].max())))
    assert moved[0][0] == 0.0 and moved[0][1] < 12.5  # the corridor is his
    assert moved[1][0] > 0.5 and moved[1][1] > moved[0][1] + 0.5


def test_a_place_that_cannot_be_reached_stands_for_the_nearest_that_can() -> None:
    world = world_of(
        "....................",
        "....................",
        ".............######.",
        ".............#....#.",
        ".............#....#.",
        ".............######.",
        "....................",
    )
    soldiers = world.add_crowd(0, 4.0, 0.3)
    soldiers.spawn([[2.5, 3.5], [3.5, 3.5]])
    world.commands.move(soldiers, (14.5, 3.5))  # within the walls
    play(world, 6.0)
    assert (soldiers.states == STATUS_ARRIVED).all() and near(soldiers, [0, 1], 14.5, 1.5, 1.3)
    world.commands.move(soldiers, (13.5, 4.4))  # in a wall
    play(world, 6.0)
    assert (soldiers.states == STATUS_ARRIVED).all() and near(soldiers, [0, 1], 12.5, 4.5, 1.3)
    walled = world.add_crowd(0, 4.0, 0.3)
    walled.spawn([[15.5, 3.5]])
    world.commands.move(np.concatenate([soldiers.handles(), walled.handles()]), (2.5, 5.5))
    play(world, 6.0)
    assert walled.states[0] == STATUS_UNREACHABLE and (soldiers.states == STATUS_ARRIVED).all()


def test_units_whose_layer_changes_keep_their_orders() -> None:
    world = open_world(40, 30)
    soldiers, archers = world.add_crowd(0, 4.0, 0.3), world.add_crowd(0, 5.0, 0.25)
    soldiers.spawn([[4.5, 2.5 + 2 * row] for row in range(4)])
    archers.spawn([[8.5, 5.5]])
    command = world.commands.move(np.concatenate([soldiers.handles(), archers.handles([0])]), (20.5, 5.5))
    world.commands.move(soldiers.handles(), (20.5, 24.5), queued=True)
    play(world, 0.5)
    soldiers.radius = 0.7
    check_members(world)
    assert len(world.commands.units_of(command)) == 5
    play(world, 20.0)
    assert near(soldiers, range(4), 20.5, 24.5, 4.0) and near(archers, [0], 20.5, 5.5)


def test_wrong_commands_are_refused_in_words_and_change_nothing() -> None:
    world = open_world(40, 30)
    soldiers, archers = squads(world)
    other = open_world(10, 10)
    strangers = other.add_crowd(3, 3.0, 0.3)
    dead = int(archers.handles([0])[0])
    archers.remove([0])
    archers.spawn([[9.5, 9.5]])  # takes the id again
    units = soldiers.handles([0, 1])
    world.commands.move(units, (30.5, 20.5))
    world.step(TICK)
    before = world.state_hash()
    commands = world.commands
    nan, inf = float("nan"), float("inf")
    refused = [
        (lambda: commands.move(units, (nan, 3.0)), r"expected a place on the map of 40 x 30 tiles, got \(nan, 3.0\)"),
        (lambda: commands.move(units, (3.0, inf)), "expected a place on the map"),
        (lambda: commands.move(units, (40.0, 3.0)), r"got \(40.0, 3.0\)"),
        (lambda: commands.move(units, (-0.1, 3.0)), "expected a place on the map"),
        (lambda: commands.move(units, 7), "a place is two numbers, got 7"),  # type: ignore[arg-type]
        (lambda: commands.move([dead], (3.0, 3.0)), f"expected units that live, got handle {dead}: unit 0 of crowd 1 is dead"),
        (lambda: commands.move([*units.tolist(), 0], (3.0, 3.0)), "handle 0: unit 0 of crowd 0 never lived"),
        (lambda: commands.move([1 << 32 | 7 << 20], (3.0, 3.0)), "unit 0 of crowd 7 never lived"),
        (lambda: commands.move([1 << 32 | 99], (3.0, 3.0)), "unit 99 of crowd 0 never lived"),
        (lambda: commands.move([-5], (3.0, 3.0)), "expected units that live, got handle -5"),
        (lambda: commands.move([], (3.0, 3.0)), "a command needs at least one unit, got none"),
        (lambda: commands.move([1.5], (3.0, 3.0)), r"units are handles, integers \(n,\), got float64"),
        (lambda: commands.move(strangers, (3.0, 3.0)), "expected a crowd of this world"),
        (lambda: commands.follow(units, dead), "is dead"),
        (lambda: commands.follow(units, archers, distance=nan), "expected a distance of 0 to 1000 tiles, got nan"),
        (lambda: commands.hold([]), "at least one unit"),
        (lambda: commands.patrol(units, (nan, nan)), "expected a place"),
        (lambda: commands.release([dead]), "is dead"),
        (lambda: commands.queue_of(dead), "is dead"),
    ]
    for call, words in refused:
        with pytest.raises(CommandError, match=words):
            call()
        assert world.state_hash() == before, words
    empty = world.add_crowd(0, 3.0, 0.3)
    with pytest.raises(CommandError, match="expected a crowd with agents to follow"):
        commands.follow(units, empty)


def test_the_state_goes_on_after_save_and_load() -> None:
    def orders(world: World, tick: int) -> None:
        soldiers, archers = world.crowds
        if tick == 5:
            world.commands.move(soldiers.handles([0, 1, 2]), (30.5, 20.5))
            world.commands.move(soldiers.handles([0, 1]), (10.5, 25.5), queued=True)
            world.commands.patrol(archers.handles([0, 1, 2, 3]), (20.5, 5.5))
        if tick == 40:
            world.commands.follow(archers.handles([4, 5]), int(soldiers.handles([0])[0]))
            world.commands.hold(soldiers.handles([7]))
        if tick == 90:
            soldiers.remove([3])
            world.commands.move(archers.handles([0, 4]), (35.5, 5.5), queued=True)

    hashes = []
    for restore_at in ((), (6,), (40, 41), (60, 91, 200)):
        world = open_world(40, 30)
        squads(world)
        for tick in range(420):
            if tick in restore_at:
                data = world.save()
                world = World()
                world.restore(data)
                assert world.save() == data
            orders(world, tick)
            world.step(TICK)
            check_members(world)
        hashes.append((world.state_hash(), world.commands.take_finished()))
    assert hashes.count(hashes[0]) == len(hashes)
