"""Attack-move: who goes for whom, how they get there, engagement, resuming the way; state, replay, refusals in words."""

import numpy as np
import pytest

from pynav.commands import CommandError, CommandKind, CommandRecording
from pynav.crowd.crowd import STATUS_ARRIVED, STATUS_ENGAGED, STATUS_WALKING, Crowd
from pynav.crowd.errors import WorldError
from pynav.crowd.unit_handles import unpacked
from pynav.world import World
from tests.naive import foes as naive
from tests.unit.crowd.worlds import TICK, open_world, run, world_of

LOOK_TICKS = 16  # in which everybody looks around once


def army(world: World, places: object, team: int, *, speed: float = 4.0, radius: float = 0.3, sight: float = 8.0) -> Crowd:
    crowd = world.add_crowd(0, speed, radius, speed_variation=0.0)
    crowd.team, crowd.sight_radius, crowd.attack_range = team, sight, 0.5
    crowd.spawn(places)
    return crowd


def gap(own: Crowd, unit: int, other: Crowd, foe: int) -> float:
    return float(np.hypot(*(own.positions[unit] - other.positions[foe]))) - own.radius - other.radius


def test_units_leave_their_way_strike_and_go_on_when_the_foe_is_gone() -> None:
    world = open_world(60, 20)
    soldiers = army(world, [[4.5, 9.5], [4.5, 10.5], [4.5, 11.5]], 0)
    foes = army(world, [[25.5, 13.5], [26.5, 4.5]], 1, speed=0.0)
    command = world.commands.attack_move(soldiers, (50.5, 10.5))
    assert world.commands.get(command).kind == CommandKind.ATTACK_MOVE
    run(world, 8.0)
    units, struck = world.commands.engaged()
    assert units.tolist() == soldiers.handles().tolist()
    assert (soldiers.states == STATUS_ENGAGED).all() and (foes.states != STATUS_ENGAGED).all()
    for unit, foe in zip(units, struck, strict=True):
        own, other = int(unpacked(np.array([unit]))[1][0]), int(unpacked(np.array([foe]))[1][0])
        assert gap(soldiers, own, foes, other) <= 0.5 + 0.25
        towards = foes.positions[other] - soldiers.positions[own]
        assert soldiers.headings[own] @ towards / np.hypot(*towards) > 0.9
    assert world.commands.foes_of(units).tolist() == struck.tolist()
    assert world.commands.take_finished() == []
    foes.remove(unpacked(struck)[1])
    assert world.commands.engaged()[0].tolist() == []
    run(world, 6.0)
    if foes.count:  # the other one was in sight too
        assert len(world.commands.engaged()[0]) > 0
        foes.clear()
    run(world, 12.0)
    assert (soldiers.states == STATUS_ARRIVED).all() and np.abs(soldiers.positions - [50.5, 10.5]).max() < 2.0
    assert world.commands.take_finished() == [command] and not world._crowds.foe.any()


def test_who_has_arrived_goes_for_a_foe_that_comes_and_returns() -> None:
    world = open_world(40, 20)
    soldiers = army(world, [[8.5, 10.5]], 0)
    world.commands.attack_move(soldiers, (10.5, 10.5))
    run(world, 2.0)
    assert soldiers.states[0] == STATUS_ARRIVED
    foes = army(world, [[16.5, 10.5]], 1, speed=0.0)
    run(world, 3.0)
    assert soldiers.states[0] == STATUS_ENGAGED and soldiers.positions[0, 0] > 14.0
    foes.clear()
    run(world, 4.0)
    assert soldiers.states[0] == STATUS_ARRIVED and soldiers.positions[0, 0] < 11.5


def test_a_plain_move_and_blind_units_pass_by_and_so_do_those_whose_enemies_are_others() -> None:
    for kind in ("move", "blind", "friends", "unseen"):
        world = open_world(40, 12)
        soldiers = army(world, [[4.5, 6.5]], 0, sight=0.0 if kind == "blind" else 6.0)
        foes = army(world, [[18.5, 8.5]], 1, speed=0.0)
        if kind == "unseen":
            foes.layers = 0
        if kind == "friends":
            soldiers.enemy_teams = 0b100
        order = world.commands.move if kind == "move" else world.commands.attack_move
        order(soldiers, (35.5, 6.5))
        run(world, 10.0)
        assert soldiers.states[0] == STATUS_ARRIVED, kind
        assert world.commands.foes_of(soldiers.handles()).tolist() == [0]


def test_a_foe_behind_a_wall_is_reached_by_a_short_way_round_and_left_alone_without_one() -> None:
    for gap_row, is_reached in ((1, True), (None, False)):
        rows = [list("." * 40) for _ in range(13)]
        for row in range(13):
            rows[row][20] = "." if row == gap_row else "#"
        rows[12][20] = "."  # the way of the command: too far round for a chase from the top
        world = world_of(*["".join(row) for row in rows])
        soldiers = army(world, [[18.5, 3.5]], 0, sight=6.0)
        army(world, [[22.5, 3.5]], 1, speed=0.0)
        if gap_row is None:
            world.edit_cost(20, 12, np.zeros((1, 1), dtype=np.uint8))
        world.commands.attack_move(soldiers, (2.5, 3.5))
        run(world, 5.0)
        cost = world.grid.cost
        assert (naive.steps_between(cost, (18, 3), (22, 3), 32) is not None) == is_reached
        assert (soldiers.states[0] == STATUS_ENGAGED) == is_reached
        assert (soldiers.positions[0, 0] > 20.0) == is_reached


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whom_each_goes_for_is_what_the_slow_reference_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    cost = np.ones((40, 40), dtype=np.uint8)
    cost[random.random((40, 40)) < 0.06] = 0
    world = world_of(*["".join("#" if tile == 0 else "." for tile in row) for row in cost])
    free = np.argwhere(cost != 0)[:, ::-1]
    places = free[random.permutation(len(free))[:90]] + 0.5
    crowds = [army(world, places[30 * team : 30 * team + 30], team, speed=0.0, sight=7.0, radius=0.25) for team in range(3)]
    crowds[1].enemy_teams = 0b001
    crowds[2].attack_range = 3.0
    for crowd in crowds:
        world.commands.attack_move(crowd, (free[0, 0] + 0.5, free[0, 1] + 0.5))
    for _ in range(LOOK_TICKS):
        world.step(TICK)
    seen = 0
    for crowd in crowds:
        for unit, handle in enumerate(world.commands.foes_of(crowd.handles()).tolist()):
            expected = naive.nearest_foe(world.crowds, crowd, unit, cost)
            if expected is not None:
                seen += 1
                assert [int(part[0]) for part in unpacked(np.array([handle]))[:2]] == list(expected), (crowd.index, unit)
    assert seen > 40


def test_equally_near_foes_are_taken_by_crowd_and_id() -> None:
    world = open_world(30, 30)
    soldiers = army(world, [[15.5, 15.5]], 0, speed=0.0)
    later = army(world, [[15.5, 20.5], [20.5, 15.5]], 1, speed=0.0)
    army(world, [[10.5, 15.5]], 2, speed=0.0)
    world.commands.attack_move(soldiers, (15.5, 25.5))
    for _ in range(LOOK_TICKS):
        world.step(TICK)
    assert world.commands.foes_of(soldiers.handles()).tolist() == later.handles([0]).tolist()


def test_the_queue_goes_on_behind_an_attack_move_and_another_command_ends_it() -> None:
    world = open_world(50, 20)
    soldiers = army(world, [[4.5, 9.5]], 0)
    foes = army(world, [[20.5, 10.5]], 1, speed=0.0)
    first = world.commands.attack_move(soldiers, (30.5, 9.5))
    second = world.commands.move(soldiers, (30.5, 2.5), queued=True)
    run(world, 6.0)
    assert soldiers.states[0] == STATUS_ENGAGED and world.commands.queue_of(int(soldiers.handles()[0])) == [first, second]
    foes.clear()
    run(world, 8.0)
    assert np.abs(soldiers.positions[0] - [30.5, 2.5]).max() < 1.0
    army(world, [[28.5, 2.5]], 1, speed=0.0)
    world.commands.attack_move(soldiers, (10.5, 2.5))
    run(world, 1.0)
    assert soldiers.states[0] == STATUS_ENGAGED
    world.commands.move(soldiers, (45.5, 9.5))
    assert world.commands.engaged()[0].tolist() == [] and world.commands.foes_of(soldiers.handles()).tolist() == [0]
    run(world, 0.5)
    assert soldiers.states[0] == STATUS_WALKING


def battle(seed: int = 5) -> World:
    world = World(seed=seed)
    rows = ["." * 50 for _ in range(30)]
    rows[14] = "." * 10 + "#" * 30 + "." * 10
    world.set_grid(world_of(*rows).grid)
    for team in range(2):
        crowd = world.add_crowd(0, 4.0, 0.3)
        crowd.team, crowd.sight_radius, crowd.attack_range = team, 9.0, 0.4
        crowd.spawn_in(40, (2 + 30 * team, 2, 16, 26))
    return world


def tell(world: World) -> None:
    if world.tick == 1:
        world.commands.attack_move(world.crowds[0], (45.5, 20.5))
        world.commands.attack_move(world.crowds[1].handles()[::2], (5.5, 8.5), queued=True)
    if world.tick % 30 == 29:
        _, struck = world.commands.engaged()
        fallen = np.unique(struck[::3])
        for crowd in world.crowds:
            crowds, ids, _ = unpacked(fallen)
            crowd.remove(ids[crowds == crowd.index])


def test_the_state_goes_on_after_save_and_load_and_shows_in_the_hash() -> None:
    played = battle()
    engaged = 0
    for tick in range(300):
        tell(played)
        played.step(TICK)
        engaged = max(engaged, len(played.commands.engaged()[0]))
        if tick in (90, 200):
            restored = World()
            restored.restore(played.save())
            assert restored.state_hash() == played.state_hash()
            assert [part.tolist() for part in restored.commands.engaged()] == [
                part.tolist() for part in played.commands.engaged()
            ]
            while restored.tick < played.tick + 60:
                tell(restored)
                restored.step(TICK)
            kept = restored.state_hash(), restored.tick
        if tick > 90 and played.tick == kept[1]:
            assert played.state_hash() == kept[0]
    assert engaged > 10
    before = played.state_hash()
    played._crowds.foe[int(np.flatnonzero(played._crowds.alive)[0])] += 1
    assert played.state_hash() != before


def test_a_recording_of_attack_moves_gives_the_same_game_again() -> None:
    def play(world: World, give: object) -> str:
        for _ in range(150):
            give(world)
            world.step(TICK)
        return world.state_hash()

    first = battle()
    recording = first.commands.start_recording()
    expected = play(first, tell)
    replay = CommandRecording.from_bytes(recording.to_bytes())

    def fall_and_replay(world: World) -> None:
        replay.give_due(world)
        if world.tick % 30 == 29:
            tell(world)

    assert play(battle(), fall_and_replay) == expected


def test_what_is_wrong_is_refused_in_words() -> None:
    world = open_world(20, 20)
    soldiers = army(world, [[4.5, 4.5]], 0)
    for place in ((np.nan, 3.0), (30.0, 3.0), "there"):
        with pytest.raises(CommandError, match="place"):
            world.commands.attack_move(soldiers, place)
    with pytest.raises(CommandError, match="handle"):
        world.commands.attack_move([77], (3.5, 3.5))
    with pytest.raises(CommandError, match="handle"):
        world.commands.foes_of([77])
    for name in ("sight_radius", "attack_range"):
        for value in (-1.0, 41.0, np.nan):
            with pytest.raises(WorldError, match=name):
                setattr(soldiers, name, value)
    with pytest.raises(WorldError, match="enemy_teams"):
        soldiers.enemy_teams = 1 << 32
    assert (soldiers.sight_radius, soldiers.attack_range, soldiers.enemy_teams) == (8.0, 0.5, 0xFFFFFFFF)
    assert len(world.commands.commands_of(soldiers)) == 1 and not world.commands.commands_of(soldiers).any()


def test_a_patrol_that_attacks_engages_goes_on_to_and_fro_and_a_plain_one_passes_by() -> None:
    farthest = {}
    for attacks in (True, False):
        world = open_world(50, 20)
        soldiers = army(world, [[8.5, 10.5], [8.5, 11.5]], 0)
        foes = army(world, [[20.5, 15.5]], 1, speed=0.0)
        command = world.commands.patrol(soldiers, (32.5, 10.5), attacks=attacks)
        assert world.commands.get(command).kind == (CommandKind.ATTACK_PATROL if attacks else CommandKind.PATROL)
        run(world, 10.0)
        assert len(world.commands.engaged()[0]) == (2 if attacks else 0)
        foes.clear()
        xs = []
        for _ in range(30):
            run(world, 1.0)
            xs.append(float(soldiers.positions[:, 0].mean()))
        farthest[attacks] = (min(xs), max(xs))
        assert world.commands.take_finished() == []
        assert world.commands.queue_of(int(soldiers.handles()[0])) == [command]
    for least, most in farthest.values():
        assert least < 12.0 and most > 29.0


def test_who_stands_guard_goes_for_a_foe_and_stands_where_that_leaves_it() -> None:
    world = open_world(40, 20)
    soldiers = army(world, [[8.5, 10.5], [8.5, 8.5]], 0)
    world.commands.guard(soldiers)
    run(world, 2.0)
    assert np.abs(soldiers.positions - [[8.5, 10.5], [8.5, 8.5]]).max() < 0.01
    foes = army(world, [[14.5, 10.5]], 1, speed=0.0)
    run(world, 4.0)
    assert len(world.commands.engaged()[0]) == 2
    foes.clear()
    run(world, 1.0)
    left = soldiers.positions.copy()
    run(world, 4.0)
    assert np.abs(soldiers.positions - left).max() < 0.01 and left[0, 0] > 12.0
    world.commands.stop(soldiers)
    army(world, [[14.5, 16.5]], 1, speed=0.0)
    run(world, 3.0)
    assert np.abs(soldiers.positions - left).max() < 0.01


def test_a_queue_behind_a_patrol_that_attacks_outlasts_a_fight() -> None:
    world = open_world(60, 20)
    soldiers = army(world, [[8.5, 10.5]], 0)
    foes = army(world, [[20.5, 14.5]], 1, speed=0.0)
    first = world.commands.patrol(soldiers, (30.5, 10.5), attacks=True)
    second = world.commands.attack_move(soldiers, (50.5, 5.5), queued=True)
    third = world.commands.guard(soldiers, queued=True)
    run(world, 6.0)
    assert len(world.commands.engaged()[0]) == 1
    assert world.commands.queue_of(int(soldiers.handles()[0])) == [first, second, third]
    foes.clear()
    run(world, 20.0)
    assert np.abs(soldiers.positions - [50.5, 5.5]).max() < 1.0
    assert world.commands.queue_of(int(soldiers.handles()[0])) == [third]
    restored = World()
    restored.restore(world.save())
    army(world, [[45.5, 5.5]], 1, speed=0.0)
    army(restored, [[45.5, 5.5]], 1, speed=0.0)
    for one in (world, restored):
        run(one, 2.0)
        assert len(one.commands.engaged()[0]) == 1
    assert world.state_hash() == restored.state_hash()
