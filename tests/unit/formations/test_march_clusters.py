"""Marches of units that are spread: clusters in rows with leaders and paces; they merge, part, arrive; saved and restored."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from pynav.formations import DragGrid, OrderedFormation, march_clusters
from pynav.formations.place_layout import AT_X, AT_Y, FRONT_SPEED
from pynav.kernels import get_threads, set_threads
from pynav.world import World
from tests.naive import clusters as naive
from tests.unit.crowd.worlds import TICK, check, open_world
from tests.unit.formations.test_formation_orders import run_until_formed, units_of

Group = tuple[float, float, int, int]
FAR_APART: tuple[Group, ...] = ((5.5, 5.5, 10, 6), (5.5, 40.5, 10, 6), (30.5, 22.5, 8, 4))


def spread(groups: tuple[Group, ...] = FAR_APART, wall: bool = False) -> World:
    """Soldiers and archers in blocks with their first units at (x, y); the wall has a door of four tiles."""
    world = open_world(90, 50)
    if wall:
        cost = np.ones((50, 90), np.uint8)
        cost[:, 45:48] = 0
        cost[24:28, 45:48] = 1
        world.edit_cost(0, 0, cost)
    for speed in (2.5, 3.0):
        world.add_crowd(0, speed, 0.3, speed_variation=0.0)
    for x, y, soldiers, archers in groups:
        places = [(x + unit % 4, y + unit // 4) for unit in range(soldiers + archers)]
        world.crowds[0].spawn(places[:soldiers])
        if archers:
            world.crowds[1].spawn(places[soldiers:])
    return world


def march(world: World, mode: str = "march", end: tuple[float, float] = (80.0, 25.0)) -> OrderedFormation:
    ranks = [(crowd, 1 + crowd.index) for crowd in world.crowds]
    return world.formations.order(ranks, DragGrid(end, (1.0, 0.0), 8.0, 0.4), mode)


def step(world: World, seconds: float) -> None:
    for _ in range(round(seconds / TICK)):
        world.step(TICK)
        check(world)


def sizes(formation: OrderedFormation) -> list[int]:
    return [cluster.march.unit_count for cluster in formation.clusters]


def leader_of(formation: OrderedFormation, index: int) -> tuple[int, int]:
    """Crowd and id of who leads a cluster."""
    member = formation.clusters[index].leader
    return int(formation.members.crowd[member]), int(formation.members.ids[member])


def leader_position(world: World, formation: OrderedFormation, index: int) -> npt.NDArray[np.float32]:
    crowd, number = leader_of(formation, index)
    return np.asarray(world.crowds[crowd].positions[number])


def expected_leader(world: World, formation: OrderedFormation, index: int) -> tuple[int, int]:
    """By the reference: of the living in the middle of a cluster."""
    march = formation.clusters[index].march
    at = world.formations.tables.places.values[AT_X : AT_Y + 1, march.places()].T.tolist()
    present = [
        (tuple(owner), place)
        for owner, place in zip(march.owners.tolist(), at, strict=True)
        if owner[1] >= 0 and world.crowds[owner[0]].alive[owner[1]]
    ]
    owner = present[naive.middle_one([place for _, place in present])][0]
    return int(owner[0]), int(owner[1])


def test_units_that_stand_together_make_a_cluster_that_marches_in_rows() -> None:
    world = spread()
    formation = march(world)
    world.step(TICK)
    moves = np.concatenate([crowd.velocities for crowd in world.crowds])
    assert np.hypot(*moves.T).max() > 0.5, "the first set off in the tick of the order"
    step(world, 2.0)
    assert sizes(formation) == [16, 16, 12] and formation.is_marching
    step(world, 12.0)
    for index, cluster in enumerate(formation.clusters):
        units = units_of(world, cluster.march)
        errors = np.hypot(*(units - cluster.march.targets).T)
        assert np.quantile(errors, 0.8) < 0.3 and errors.max() < 1.5, "nearly all are in their places"
        away = np.hypot(*(units - units.mean(axis=0)).T)
        leads = leader_position(world, formation, index)
        assert np.hypot(*(leads - units.mean(axis=0))) <= away.min() + 2.1, "the one in the middle leads"
        crowds = cluster.march.owners[:, 0].tolist()
        assert crowds == sorted(crowds), "archers are in the back rows"
        going = units_of(world, cluster.march, "velocities")
        assert np.hypot(*going.T).max() < 2.6, "and go at the soldiers' pace"
    assert run_until_formed(world, formation, 60)
    assert formation.slots is not None and not formation.is_marching and formation.clusters == []
    assert np.hypot(*(units_of(world, formation) - formation.slots.positions).T).max() < 0.75
    assert [crowd for crowd, _ in formation.owners] == [0] * 28 + [1] * 16
    assert [event.what for event in world.formations.take_events()] == ["assigned", "arrived", "formed"]


def test_units_near_one_another_march_as_one() -> None:
    world = spread(((5.5, 5.5, 10, 6), (12.0, 5.5, 10, 6)))
    formation = march(world)
    step(world, 2.0)
    assert formation.march_clusters is None and formation.is_marching


def test_a_few_that_stand_elsewhere_make_no_cluster() -> None:
    world = spread(((5.5, 5.5, 10, 6), (5.5, 40.5, 10, 6), (30.5, 22.5, 2, 0)))
    formation = march(world)
    step(world, 2.0)
    assert sizes(formation) == [16, 16]
    assert run_until_formed(world, formation, 60)


def test_clusters_that_come_together_at_a_door_merge_and_never_part_again() -> None:
    world = spread(((5.5, 5.5, 10, 6), (5.5, 40.5, 10, 6)), wall=True)
    formation = march(world)
    counts = []
    while not formation.is_formed and len(counts) < 60 * 70:
        step(world, TICK)
        counts.append(len(formation.clusters))
    assert formation.is_formed
    changes = [counts[0]] + [now for before, now in pairwise(counts) if now != before]
    assert changes in ([0, 1, 2, 1, 0], [0, 2, 1, 0])
    before, after = counts.index(2), len(counts) - 1 - counts[::-1].index(2)
    assert after - before > 300, "they walk a good way before"


def test_the_merged_one_has_all_units_and_goes_on_without_a_stop() -> None:
    world = spread(((5.5, 5.5, 10, 6), (5.5, 40.5, 10, 6)), wall=True)
    formation = march(world)
    speeds = []
    while not formation.clusters or sizes(formation) != [32]:
        step(world, TICK)
        fronts = world.formations.tables.formations.values[FRONT_SPEED]
        speeds.append(min((float(fronts[cluster.march.column]) for cluster in formation.clusters), default=0.0))
    assert speeds[-1] == pytest.approx(speeds[-2], rel=0.3, abs=0.2)
    owners = formation.clusters[0].march.owners
    assert len({tuple(owner) for owner in owners.tolist()}) == 32


def test_who_falls_off_leaves_its_cluster_and_is_in_one_again_after_the_cool_down() -> None:
    world = spread(((5.5, 5.5, 10, 6), (5.5, 40.5, 10, 6)))
    formation = march(world, end=(84.0, 25.0))
    step(world, 5.0)
    place = formation.clusters[0].march.owners[0].tolist()
    world.crowds[place[0]].set_positions([place[1]], [(2.5, 22.5)])
    step(world, 2.5)
    assert sizes(formation) == [15, 16], "its place is empty, and those behind stepped up"
    assert place not in formation.clusters[0].march.owners.tolist()
    center = units_of(world, formation.clusters[0].march).mean(axis=0)
    world.crowds[place[0]].set_positions([place[1]], [tuple((center + 1.0).tolist())])
    step(world, 1.0)
    assert sizes(formation) == [15, 16], "it rests"
    joined = -1
    for tick in range(60 * 12):
        center = units_of(world, formation.clusters[0].march).mean(axis=0)
        if tick % 30 == 0 and joined < 0:
            world.crowds[place[0]].set_positions([place[1]], [tuple((center + 1.0).tolist())])
        world.step(TICK)
        if joined < 0 and 16 in sizes(formation) and sum(sizes(formation)) == 32:
            joined = tick
    assert joined > 60 * 1, "after its rest it joins"
    assert run_until_formed(world, formation, 60)


def test_deaths_and_other_orders_leave_the_rest_in_order() -> None:
    world = spread()
    formation = march(world)
    step(world, 4.0)
    crowd, number = formation.clusters[0].march.owners[1].tolist()
    world.crowds[crowd].remove([number])
    crowd, number = formation.clusters[1].march.owners[2].tolist()
    world.commands.stop(world.crowds[crowd].handles([number]))
    step(world, 1.0)
    assert sizes(formation) == [15, 15, 12] and formation.unit_count == 42
    for cluster in formation.clusters:
        assert (cluster.march.owners[:4, 1] >= 0).all(), "files have stepped up"
    assert run_until_formed(world, formation, 60)
    assert [event.what for event in world.formations.take_events()] == ["assigned", "arrived", "formed"]


def leaders_fall(seconds: float, restore_every: int = 0) -> tuple[str, list[tuple[int, int]]]:
    """Who leads a cluster dies, one each fifth of a second: the world's hash, and who led after each death."""
    world = spread()
    formation = march(world)
    step(world, 4.0)
    led: list[tuple[int, int]] = []
    for tick in range(round(seconds / TICK)):
        if tick % 12 == 0:
            index = tick // 12 % 3
            crowd, number = leader_of(formation, index)
            world.crowds[crowd].remove([number])
            expected = expected_leader(world, formation, index)
            if restore_every and tick // 12 % restore_every == 0:
                saved = world.save()
                world = World()
                world.restore(saved)
                formation = world.formations.formations[0]
            world.step(TICK)
            assert leader_of(formation, index) == expected, "in that tick the one in the middle leads"
            led.append(expected)
        else:
            world.step(TICK)
        for index in range(len(formation.clusters)):
            crowd, number = leader_of(formation, index)
            assert world.crowds[crowd].alive[number], "no dead unit leads"
            assert [crowd, number] in formation.clusters[index].march.owners.tolist()
    return world.state_hash(), led


def test_a_leader_that_falls_is_replaced_in_that_tick_by_the_one_in_the_middle() -> None:
    before = get_threads()
    found = []
    try:
        for threads, restore_every in ((1, 0), (2, 0), (2, 2)):
            set_threads(threads)
            found.append(leaders_fall(2.8, restore_every))
    finally:
        set_threads(before)
    assert found[0] == found[1] == found[2]
    assert len(set(found[0][1])) == 14


def test_a_leader_that_is_told_something_else_leads_no_more() -> None:
    world = spread()
    formation = march(world)
    step(world, 4.0)
    for _ in range(8):  # by turns before and behind a survey
        crowd, number = leader_of(formation, 1)
        world.commands.stop(world.crowds[crowd].handles([number]))
        for _ in range(9):
            had_place = world._crowds.place[world._crowds.slots(crowd)][number] > 0
            world.step(TICK)
            assert had_place or leader_of(formation, 1) != (crowd, number)
        assert leader_of(formation, 1) != (crowd, number), "it leaves with its next wish"


def test_a_crowd_that_grows_on_the_march_changes_no_cluster() -> None:
    """New units of the soldiers' crowd shift where the archers lie in arrays by unit."""
    world = spread(wall=True)
    formation = march(world)
    step(world, 4.0)
    world.crowds[0].spawn([(2.5 + column % 20, 30.5 + column // 20) for column in range(60)])
    for _ in range(14):
        step(world, 1.0)
        clusters = formation.march_clusters
        assert clusters is not None
        for cluster in formation.clusters:
            members = formation.members
            units = zip(members.crowd.tolist(), members.ids.tolist(), strict=True)
            _, labels = clusters._who_is_where()
            named = sorted(unit for unit, label in zip(units, labels, strict=True) if label == cluster.number)
            assert named == sorted(tuple(owner) for owner in cluster.march.owners.tolist() if owner[1] >= 0)
    assert len(formation.clusters) < 3, "some have merged"
    assert run_until_formed(world, formation, 60)


def test_a_dismissed_formation_lets_all_units_go() -> None:
    world = spread()
    formation = march(world)
    step(world, 4.0)
    formation.dismiss()
    assert formation.is_broken and formation.clusters == [] and not world.formations.is_active
    assert not world._crowds.place.any()
    step(world, 1.0)


def test_all_dead_breaks_it() -> None:
    world = spread()
    formation = march(world)
    step(world, 4.0)
    for crowd in world.crowds:
        crowd.remove(np.flatnonzero(crowd.alive))
    step(world, 0.5)
    assert formation.is_broken and not world.formations.is_active


def test_a_wall_across_the_way_of_clusters_is_gone_round() -> None:
    world = spread()
    formation = march(world)
    step(world, 4.0)
    world.edit_cost(40, 0, np.zeros((46, 2), np.uint8))
    assert run_until_formed(world, formation, 90)


def test_retreating_clusters_look_ahead_of_the_formation() -> None:
    world = spread()
    formation = march(world, "retreat")
    step(world, 6.0)
    for cluster in formation.clusters:
        assert units_of(world, cluster.march, "headings")[:, 0].min() > 0.95
    assert run_until_formed(world, formation, 60)


@pytest.mark.parametrize("ticks", [1, 8, 12, 20, 300, 1100, 1180, 1900])
def test_a_restored_world_goes_on_with_the_same_bits(ticks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(march_clusters, "WORK_A_TICK", 1)  # a slice a tick: surveys are saved half done, too
    world = spread(wall=True)
    march(world)
    was_half_done = False
    for tick in range(ticks):
        if tick == 200:
            world.crowds[0].set_positions([2], [(2.5, 22.5)])
        world.step(TICK)
        clusters = world.formations.formations[0].march_clusters
        was_half_done |= clusters is not None and clusters._survey is not None
    assert was_half_done or ticks < 100
    other = World()
    other.restore(world.save())
    assert other.state_hash() == world.state_hash()
    for _ in range(240):
        world.step(TICK)
        other.step(TICK)
    assert other.state_hash() == world.state_hash()
    assert sizes(other.formations.formations[0]) == sizes(world.formations.formations[0])


def test_the_same_bits_on_any_number_of_threads() -> None:
    before = get_threads()
    hashes = []
    try:
        for threads in (1, 2, 7):
            set_threads(threads)
            world = spread(wall=True)
            formation = march(world)
            seen = set()
            for _ in range(60 * 22):
                world.step(TICK)
                seen.add(len(formation.clusters))
            hashes.append(world.state_hash())
            assert seen >= {0, 2, 3}
    finally:
        set_threads(before)
    assert len(set(hashes)) == 1
