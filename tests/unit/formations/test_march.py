"""Marches: the shape is kept on open ground and in bends, doors are passed in order, obstacles gone round; who can't keep up."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.formations import DragGrid, OrderedFormation
from pynav.formations.place_layout import DROPPED, LAG, MARCHING, TARGET_X, TARGET_Y
from pynav.world import World
from tests.naive import clusters as naive
from tests.unit.crowd.worlds import TICK, check, open_world
from tests.unit.formations.test_formation_orders import army, order, run_until_formed, units_of

Cost = npt.NDArray[np.uint8]


def drawn_up(world: World, x: float, y: float, files: int, soldier_rows: int, archer_rows: int) -> None:
    """Soldiers, and behind them archers, who are faster, in rows that look to the right; (x, y) is the middle of the front."""
    world.add_crowd(0, 2.5, 0.3, speed_variation=0.0)
    world.add_crowd(0, 3.0, 0.3, speed_variation=0.0)
    places = [(x - row, y + file - (files - 1) / 2) for row in range(soldier_rows + archer_rows) for file in range(files)]
    world.crowds[0].spawn(places[: files * soldier_rows])
    world.crowds[1].spawn(places[files * soldier_rows :])


def errors(world: World, formation: OrderedFormation) -> npt.NDArray[np.float64]:
    return np.hypot(*(units_of(world, formation) - formation.targets).T)


def march_until_it_goes(world: World, formation: OrderedFormation) -> None:
    for _ in range(30):
        world.step(TICK)
    assert formation.stage == MARCHING


def test_on_open_ground_the_shape_is_kept_all_the_way_at_the_slowest_ones_pace() -> None:
    world = open_world(70, 30)
    drawn_up(world, 14.0, 15.0, 6, 2, 2)
    formation = order(world, DragGrid((58.0, 15.0), (1.0, 0.0), 5.0), "march")
    march_until_it_goes(world, formation)
    worst = 0.0
    ticks = 0
    while formation.stage == MARCHING:
        world.step(TICK)
        check(world)
        ticks += 1
        if ticks > 400:
            worst = max(worst, float(errors(world, formation).max()))
            assert np.hypot(*world.crowds[1].velocities.T).max() < 2.6, "archers go at the soldiers' pace"
    assert worst < 0.15, "and the march ends where the slots are"
    assert run_until_formed(world, formation, 5)
    assert 0.9 * 44 / 2.5 < ticks * TICK < 1.2 * 44 / 2.5
    assert [event.what for event in world.formations.take_events()] == ["assigned", "arrived", "formed"]


def passage(width: int) -> Cost:
    cost = np.ones((40, 70), np.uint8)
    cost[:, 30:36] = 0
    cost[20 - width // 2 : 20 - width // 2 + width, 30:36] = 1
    return cost


@pytest.mark.parametrize("width", [1, 2, 3, 6])
def test_a_door_is_passed_in_order_and_nobody_is_stuck(width: int) -> None:
    world = open_world(70, 40)
    world.edit_cost(0, 0, passage(width))
    drawn_up(world, 18.0, 20.0, 8, 2, 2)
    formation = order(world, DragGrid((58.0, 20.0), (1.0, 0.0), 7.0), "march")
    soldiers, archers = world.crowds
    passed: dict[tuple[int, int], int] = {}
    for tick in range(60 * 90):
        world.step(TICK)
        check(world)
        for crowd in world.crowds:
            for number in np.flatnonzero(crowd.positions[:, 0] > 38.0):
                passed.setdefault((crowd.index, int(number)), tick)
        if formation.is_formed:
            break
    assert formation.is_formed
    soldier = np.array([passed[0, number] for number in range(soldiers.count)])
    archer = np.array([passed[1, number] for number in range(archers.count)])
    assert (archer[:, None] < soldier[None]).mean() < 0.01, "archers stay behind soldiers"


def test_a_boulder_is_gone_round_without_breaking() -> None:
    world = open_world(80, 50)
    world.edit_cost(36, 22, np.zeros((7, 7), np.uint8))
    drawn_up(world, 18.0, 25.5, 8, 2, 2)
    formation = order(world, DragGrid((64.0, 25.5), (1.0, 0.0), 7.0), "march")
    march_until_it_goes(world, formation)
    worst = []
    while formation.stage == MARCHING:
        world.step(TICK)
        check(world)
        worst.append(float(np.percentile(errors(world, formation), 90)))
    assert np.max(worst[200:]) < 1.0 and run_until_formed(world, formation, 10)


def test_trees_are_stepped_aside_of() -> None:
    world = open_world(70, 40)
    for x, y in ((30, 14), (34, 20), (38, 25), (42, 17), (33, 27)):
        world.edit_cost(x, y, np.zeros((2, 2), np.uint8))
    drawn_up(world, 18.0, 20.0, 8, 2, 2)
    formation = order(world, DragGrid((60.0, 20.0), (1.0, 0.0), 7.0), "march")
    assert run_until_formed(world, formation, 1.5 * 42 / 2.5)


def test_a_retreat_walks_back_to_back_line_first_looking_ahead() -> None:
    world = open_world(70, 30)
    drawn_up(world, 50.0, 15.0, 6, 2, 2)
    formation = order(world, DragGrid((20.0, 15.0), (1.0, 0.0), 5.0), "retreat")
    for _ in range(240):
        world.step(TICK)
    soldiers, archers = world.crowds
    assert soldiers.velocities[:, 0].max() < -1.0
    assert soldiers.headings[:, 0].min() > 0.95 and archers.headings[:, 0].min() > 0.95
    while formation.stage == MARCHING:
        world.step(TICK)
        assert archers.positions[:, 0].max() < soldiers.positions[:, 0].min()
    assert run_until_formed(world, formation, 10)
    assert soldiers.headings[:, 0].min() > 0.95


def test_who_cannot_keep_up_is_dropped_and_the_others_go_on() -> None:
    world = open_world(90, 30)
    drawn_up(world, 14.0, 15.0, 6, 2, 2)
    cripples = world.add_crowd(0, 0.3, 0.3, speed_variation=0.0)
    cripples.spawn([(13.5, 12.5)])
    ranks = [(crowd, 1 + crowd.index % 2) for crowd in world.crowds]
    formation = world.formations.order(ranks, DragGrid((74.0, 15.0), (1.0, 0.0), 5.0), "march", least_speed=1.0)
    for _ in range(60 * 20):
        world.step(TICK)
    assert formation.dropped_count == 1
    assert world.crowds[0].positions[:, 0].min() > 40 and cripples.positions[0, 0] < 25


def test_who_was_thrown_back_is_dropped_and_counts_again_once_it_has_caught_up() -> None:
    world = open_world(140, 30)
    drawn_up(world, 14.0, 15.0, 6, 2, 2)
    formation = order(world, DragGrid((130.0, 15.0), (1.0, 0.0), 5.0), "march")
    for _ in range(240):
        world.step(TICK)
    world.crowds[1].set_positions([4], [(4.5, 4.5)])
    place = int(np.flatnonzero((formation.owners == (1, 4)).all(axis=1))[0])
    lags = []
    for _ in range(60 * 30):
        world.step(TICK)
        lags.append(float(world.formations.tables.places.values[LAG, formation.places()][place]))
    assert max(lags) > 5.0 and lags[-1] < 1.0
    assert formation.dropped_count == 0 and not (formation.standings == DROPPED).any()


def test_a_wall_built_across_the_route_is_gone_round() -> None:
    world = open_world(70, 40)
    drawn_up(world, 16.0, 20.0, 6, 2, 2)
    formation = order(world, DragGrid((60.0, 20.0), (1.0, 0.0), 5.0), "march")
    for _ in range(240):
        world.step(TICK)
    world.edit_cost(40, 6, np.zeros((28, 2), np.uint8))
    assert run_until_formed(world, formation, 60)


def test_no_way_makes_them_run_as_near_as_they_get() -> None:
    world = open_world(50, 30)
    world.edit_cost(30, 0, np.zeros((30, 2), np.uint8))
    drawn_up(world, 16.0, 15.0, 6, 2, 1)
    formation = order(world, DragGrid((44.0, 15.0), (1.0, 0.0), 5.0), "march")
    assert run_until_formed(world, formation, 40)
    assert units_of(world, formation)[:, 0].max() < 30


def test_deaths_on_the_march_close_gaps() -> None:
    world = open_world(90, 30)
    drawn_up(world, 14.0, 15.0, 6, 2, 2)
    formation = order(world, DragGrid((74.0, 15.0), (1.0, 0.0), 5.0), "march")
    for tick in range(300):
        if tick in (120, 150, 200):
            crowd, number = formation.owners[1].tolist()
            world.crowds[crowd].remove([number])
        world.step(TICK)
    owners = formation.owners
    assert formation.unit_count == 21 and (owners[:6, 1] >= 0).all()
    assert run_until_formed(world, formation, 40)


def test_the_unit_whose_place_is_in_the_middle_leads_and_is_replaced_when_it_falls() -> None:
    world = open_world(90, 30)
    drawn_up(world, 14.0, 15.0, 5, 3, 2)
    formation = order(world, DragGrid((74.0, 15.0), (1.0, 0.0), 4.0), "march")
    assert formation.leader_unit == (-1, -1) and formation.marches == []
    march_until_it_goes(world, formation)
    assert formation.marches == [formation] and (formation.march_of_slots == 0).all()
    assert formation.leader_unit == tuple(formation.owners[12])
    for _ in range(6):
        crowd, number = formation.leader_unit
        world.crowds[crowd].remove([number])
        targets = world.formations.tables.places.values[TARGET_X : TARGET_Y + 1, formation.places()].T.tolist()
        present = [
            (tuple(owner), place)
            for owner, place in zip(formation.owners.tolist(), targets, strict=True)
            if owner[1] >= 0 and world.crowds[owner[0]].alive[owner[1]]
        ]
        expected = present[naive.middle_one([place for _, place in present])][0]
        world.step(TICK)
        assert formation.leader_unit == expected
        for _ in range(9):
            world.step(TICK)
        assert formation.leader_unit == expected, "and stays"
    assert run_until_formed(world, formation, 60)
    assert formation.leader_unit == (-1, -1) and formation.marches == [] and (formation.march_of_slots == -1).all()


@pytest.mark.parametrize("ticks", [1, 3, 300, 900])
@pytest.mark.parametrize("mode", ["march", "retreat"])
def test_a_restored_march_goes_on_with_the_same_bits(mode: str, ticks: int) -> None:
    world = open_world(70, 40)
    world.edit_cost(0, 0, passage(3))
    army(world, 14, 10, 8.0, 17.0)
    order(world, DragGrid((58.0, 20.0), (0.9, 0.3), 5.0), mode)
    for _ in range(ticks):
        world.step(TICK)
    if ticks > 100:
        world.crowds[0].remove([2])
        world.commands.stop(world.crowds[1].handles([1]))
    other = World()
    other.restore(world.save())
    for _ in range(200):
        world.step(TICK)
        other.step(TICK)
    assert other.state_hash() == world.state_hash()
