"""Formations that are ordered: who runs to its slot stands in it, looks ahead, and stays; deaths, other orders, bad input."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.formations import DragGrid, FormationError, OrderedFormation, Rank
from pynav.formations.place_layout import SETTLED
from pynav.world import World
from tests.naive.formations import closed_gaps
from tests.unit.crowd.worlds import TICK, check, open_world

Arrays = npt.NDArray[np.float32]


def army(world: World, soldiers: int, archers: int, x: float, y: float, files: int = 6) -> None:
    """Two crowds that stand mixed in a block."""
    world.add_crowd(0, 2.5, 0.3, speed_variation=0.0)
    world.add_crowd(0, 3.0, 0.3, speed_variation=0.0)
    places = [(x + 0.8 * (index % files), y + 0.8 * (index // files)) for index in range(soldiers + archers)]
    world.crowds[0].spawn(places[:soldiers])
    if archers:
        world.crowds[1].spawn(places[soldiers:])


def order(world: World, grid: DragGrid, mode: str = "run") -> OrderedFormation:
    return world.formations.order([Rank(crowd, 1 + crowd.index) for crowd in world.crowds if crowd.count], grid, mode)


def units_of(world: World, formation: OrderedFormation, what: str = "positions") -> Arrays:
    """An array of the crowds in the order of the slots that have somebody."""
    found = [getattr(world.crowds[crowd], what)[number] for crowd, number in formation.owners if number >= 0]
    return np.array(found, np.float32)


def owner_numbers(formation: OrderedFormation) -> list[int]:
    """Who has each slot, as 100 x crowd + id; -1: nobody."""
    return [100 * crowd + number if number >= 0 else -1 for crowd, number in formation.owners.tolist()]


def run_until_formed(world: World, formation: OrderedFormation, seconds: float) -> bool:
    for _ in range(round(seconds / TICK)):
        world.step(TICK)
        check(world)
        if formation.is_formed:
            return True
    return False


@pytest.mark.parametrize("facing", [(1.0, 0.0), (-1.0, 0.0), (0.6, -0.8)])
def test_units_run_to_their_slots_look_ahead_and_stay(facing: tuple[float, float]) -> None:
    world = open_world(48, 30)
    army(world, 18, 12, 6.0, 10.0)
    formation = order(world, DragGrid((34.0, 15.0), facing, 5.0))
    world.step(TICK)
    assert (np.hypot(*world.crowds[0].velocities.T) > 0).any(), "the first set off in the tick of the order"
    assert run_until_formed(world, formation, 40)
    assert formation.slots is not None
    assert [crowd for crowd, _ in formation.owners] == [0] * 18 + [1] * 12, "soldiers stand in front"
    for _ in range(120):
        world.step(TICK)
    stand = units_of(world, formation)
    assert np.hypot(*(stand - formation.slots.positions).T).max() < 0.75
    assert (units_of(world, formation, "headings") @ np.array(facing, np.float32) > 0.99).all()
    for _ in range(120):
        world.step(TICK)
    assert np.abs(units_of(world, formation) - stand).max() < 0.02, "nobody shuffles"
    assert [event.what for event in world.formations.take_events()] == ["assigned", "formed"]
    assert (world.crowds[0].states == 2).all() and len(world.crowds[0].take_arrived()) == 18


def test_a_formation_beyond_a_wall_with_a_door() -> None:
    world = open_world(40, 24)
    world.edit_cost(20, 0, np.zeros((24, 1), np.uint8))
    world.edit_cost(20, 11, np.ones((2, 1), np.uint8))
    army(world, 12, 8, 4.0, 4.0)
    formation = order(world, DragGrid((34.0, 12.0), (1.0, 0.0), 4.0))
    assert run_until_formed(world, formation, 50)


def test_an_unreachable_place_gets_the_nearest_ground() -> None:
    world = open_world(40, 24)
    world.edit_cost(28, 0, np.zeros((24, 12), np.uint8))
    army(world, 12, 0, 4.0, 4.0)
    formation = order(world, DragGrid((34.0, 12.0), (1.0, 0.0), 4.0))
    assert run_until_formed(world, formation, 40)
    assert formation.slots is not None and formation.slots.is_moved.all()
    assert (units_of(world, formation)[:, 0] < 28).all()


def test_a_death_closes_its_gap_with_a_short_move() -> None:
    world = open_world(40, 24)
    army(world, 12, 6, 4.0, 4.0)
    formation = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    assert run_until_formed(world, formation, 40)
    crowd, dead = formation.owners[1].tolist()
    before = {tuple(owner): place for owner, place in zip(formation.owners.tolist(), formation.targets.tolist(), strict=True)}
    world.crowds[crowd].remove([dead])
    for _ in range(300):
        world.step(TICK)
    assert formation.is_formed and formation.unit_count == 17
    owners = formation.owners
    assert owners[1, 1] >= 0, "somebody stepped up"
    moved = [
        np.hypot(*(place - np.array(before[tuple(owner)])))
        for owner, place in zip(owners.tolist(), formation.targets, strict=True)
        if owner[1] >= 0
    ]
    assert 1 <= np.count_nonzero(np.array(moved) > 0.1) <= 3 and max(moved) < 1.7


@pytest.mark.parametrize("seed", range(3))
def test_gaps_of_an_order_close_as_in_the_reference(seed: int) -> None:
    world = open_world(40, 24)
    army(world, 23, 14, 4.0, 4.0)
    formation = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 4.0))
    assert run_until_formed(world, formation, 40)
    cells = []
    for number, (count, files) in enumerate(zip((23, 14), formation.slots.files if formation.slots else (), strict=True)):
        for index in range(count):
            row, file = divmod(index, files)
            cells.append((number, row, file + (files - min(count - row * files, files)) // 2))
    generator = np.random.default_rng(seed)
    for size in (1, 4, 9, 1):
        owners = owner_numbers(formation)
        dead = generator.choice([owner for owner in owners if owner >= 0], size, replace=False)
        for crowd in (0, 1):
            world.crowds[crowd].remove(dead[dead // 100 == crowd] % 100)
        while owner_numbers(formation).count(-1) == owners.count(-1):
            world.step(TICK)
        owners = owner_numbers(formation)  # units that change places do so before the gaps are closed
        world.formations.keeper.close_gaps(formation)
        assert owner_numbers(formation) == closed_gaps(owners, cells, [-1])
        owners = owner_numbers(formation)
        places = formation.places()
        for place, owner in zip(range(places.start, places.stop), owners, strict=True):
            if owner >= 0:
                assert world._crowds.place[world._crowds.slots(owner // 100)][owner % 100] == place + 1


def test_an_id_that_is_given_out_again_is_no_member() -> None:
    world = open_world(40, 24)
    army(world, 6, 0, 4.0, 4.0)
    formation = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    for _ in range(5):
        world.step(TICK)
    world.crowds[0].remove([2])
    assert world.crowds[0].spawn([(4.5, 20.5)]).tolist() == [2]
    for _ in range(8):
        world.step(TICK)
    assert formation.unit_count == 5 and 2 not in formation.owners[:, 1]


def test_another_order_breaks_the_formation() -> None:
    world = open_world(40, 24)
    army(world, 6, 4, 4.0, 4.0)
    first = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    for _ in range(30):
        world.step(TICK)
    second = order(world, DragGrid((10.0, 12.0), (1.0, 0.0), 3.0))
    for _ in range(30):
        world.step(TICK)
    assert first.is_broken and not second.is_broken and world.formations.formations == [second]
    for crowd in world.crowds:
        world.commands.stop(crowd)
    world.step(TICK)
    assert second.is_broken and not world.formations.formations
    assert not world.formations.is_active
    assert [event.what for event in world.formations.take_events()] == ["assigned", "broken", "assigned", "broken"]
    world.step(TICK)


def test_some_of_a_crowd_form_up_and_who_is_told_something_else_leaves() -> None:
    world = open_world(40, 24)
    army(world, 12, 6, 4.0, 4.0)
    soldiers = world.crowds[0]
    formation = world.formations.order([Rank(soldiers, 1, [1, 3, 5, 7, 9, 11])], DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    other = world.formations.order([Rank(soldiers, 1, [0, 2, 4])], DragGrid((30.0, 20.0), (1.0, 0.0), 3.0), "march")
    for _ in range(60):
        world.step(TICK)
    assert np.hypot(*world.crowds[1].velocities.T).max() < 0.3, "archers were told nothing"
    world.commands.move(soldiers.handles([3]), (5.5, 20.5))
    assert run_until_formed(world, formation, 40) and run_until_formed(world, other, 40)
    assert formation.unit_count == 5 and other.unit_count == 3
    assert sorted(number for _, number in formation.owners.tolist()) == [-1, 1, 5, 7, 9, 11]
    assert soldiers.positions[3, 0] < 12


def test_a_formation_of_the_dead_is_broken() -> None:
    world = open_world(40, 24)
    army(world, 6, 0, 4.0, 4.0)
    formation = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    for _ in range(30):
        world.step(TICK)
    world.crowds[0].clear()
    for _ in range(8):
        world.step(TICK)
    assert formation.is_broken


def test_who_is_pushed_out_of_a_settled_slot_goes_back() -> None:
    world = open_world(40, 24)
    army(world, 4, 0, 20.0, 4.0)
    formation = order(world, DragGrid((30.0, 12.0), (1.0, 0.0), 3.0))
    assert run_until_formed(world, formation, 40)
    world.crowds[0].set_positions([0], [(10.5, 10.5)])
    for _ in range(12):
        world.step(TICK)
    assert not formation.is_formed
    assert run_until_formed(world, formation, 30.0)
    assert (formation.standings == SETTLED).all()


@pytest.mark.parametrize("ticks", [0, 1, 2, 200, 900])
def test_a_restored_world_goes_on_with_the_same_bits(ticks: int) -> None:
    world = open_world(40, 24)
    world.edit_cost(20, 4, np.zeros((16, 2), np.uint8))
    army(world, 12, 8, 4.0, 4.0)
    order(world, DragGrid((30.0, 12.0), (0.8, 0.6), 4.0))
    for _ in range(ticks):
        world.step(TICK)
    if ticks == 200:
        world.crowds[0].remove([3])
        world.step(TICK)
    other = World()
    other.restore(world.save())
    assert other.state_hash() == world.state_hash()
    for _ in range(120):
        world.step(TICK)
        other.step(TICK)
    assert other.state_hash() == world.state_hash()
    one, two = world.formations.formations[0], other.formations.formations[0]
    assert one.slots is not None and two.slots is not None
    assert two.owners.tolist() == one.owners.tolist() and two.unit_count == one.unit_count


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([], "expected at least one rank, got none"),
        ([(7, 1)], "expected a crowd of this world, got 7"),
        ([(0, 1), (0, 2)], "expected each crowd in one rank, got one twice"),
        ([(0, 0.5)], "expected a row priority as a whole number, got 0.5"),
        ([(0, 1, [0, 99])], "expected ids of living agents of crowd 0, got 99"),
        ([(0, 1, [0.5])], "expected ids as whole numbers (n,), got float64 of shape (1,)"),
        ([(1, 1)], "expected at least one unit, got none"),
    ],
)
def test_bad_orders_are_refused_in_words(ranks: list[tuple[int, int]], message: str) -> None:
    world = open_world(20, 20)
    army(world, 4, 0, 4.0, 4.0)
    before = world.state_hash()
    with pytest.raises(FormationError) as error:
        world.formations.order(ranks, DragGrid((9.0, 9.0), (1.0, 0.0)))
    assert str(error.value) == message
    with pytest.raises(FormationError, match=r"expected a mode of .*, got 'stroll'"):
        world.formations.order([(0, 1)], DragGrid((9.0, 9.0), (1.0, 0.0)), "stroll")
    assert world.state_hash() == before and not world.crowds[0].has_goal
