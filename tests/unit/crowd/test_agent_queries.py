"""Questions about who is where against looking at everybody, by teams and layers; asking changes nothing."""

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.crowd.masks import ALL_BITS
from pynav.crowd.unit_handles import unpacked
from pynav.world import World
from tests.naive import queries as naive
from tests.unit.crowd.worlds import TICK, open_world


def crowded(count: int = 150) -> World:
    """Three teams, two layers, walking, some dead, some just come."""
    world = open_world(45, 31)
    for number in range(4):
        crowd = world.add_crowd(count, 3.0, 0.3 + 0.1 * number)
        crowd.team, crowd.layers = (0, 3, 31, 3)[number], (1, 1, 2, 1 << 31)[number]
        crowd.set_goal([(5 + 10 * number, 15)])
    for _ in range(30):
        world.step(TICK)
    world.crowds[1].remove(np.arange(0, count, 7))
    world.crowds[0].spawn([[7.5, 7.5], [7.5, 7.5], [44.9, 30.9]])
    world.crowds[2].set_positions([3], [[1.25, 1.25]])
    return world


def keys(handles: np.ndarray) -> list[tuple[int, int]]:
    crowds, ids, _ = unpacked(handles)
    return list(zip(crowds.tolist(), ids.tolist(), strict=True))


MASKS = ((ALL_BITS, ALL_BITS), (1 << 3, ALL_BITS), (ALL_BITS, 1), (1 << 31 | 1, 3), (1 << 5, ALL_BITS), (-1, 1 << 31))


@pytest.mark.parametrize(("teams", "layers"), MASKS)
def test_circles_rectangles_and_nearest_are_those_of_looking_at_everybody(teams: int, layers: int) -> None:
    world = crowded()
    random = np.random.default_rng(5)
    points = random.uniform(-6, 50, (40, 2)).astype(np.float32)
    points[0] = world.crowds[0].positions[3]
    reach = random.uniform(0, 9, 40).astype(np.float32)
    reach[:2] = 0.0, 100.0
    found = world.agents.in_circles(points, reach, teams=teams, layers=layers)
    rectangles = np.concatenate([points, random.uniform(0, 20, (40, 2)).astype(np.float32)], axis=1)
    in_rectangles = world.agents.in_rectangles(rectangles, teams=teams, layers=layers)
    near, distance = world.agents.nearest(points, 5, within=8.0, teams=teams, layers=layers)
    anywhere, _ = world.agents.nearest(points, 3, teams=teams, layers=layers)
    total = 0
    for question, (x, y) in enumerate(points):
        expected = naive.nearest(world.crowds, x, y, reach[question], teams & ALL_BITS, layers)
        assert keys(found.of(question)) == sorted((crowd, unit) for _, crowd, unit in expected)
        assert keys(in_rectangles.of(question)) == naive.in_rectangle(
            world.crowds, rectangles[question], teams & ALL_BITS, layers
        )
        expected = naive.nearest(world.crowds, x, y, 8.0, teams & ALL_BITS, layers)[:5]
        there = near[question][near[question] != 0]
        assert keys(there) == [(crowd, unit) for _, crowd, unit in expected]
        assert distance[question, : len(expected)].tolist() == [float(np.sqrt(squared)) for squared, _, _ in expected]
        assert np.isinf(distance[question, len(expected) :]).all()
        expected = naive.nearest(world.crowds, x, y, 1e6, teams & ALL_BITS, layers)[:3]
        assert keys(anywhere[question][: len(expected)]) == [(crowd, unit) for _, crowd, unit in expected]
        total += len(expected)
    assert (total > 0) == (teams != 1 << 5)


def test_equally_near_ones_come_by_crowd_and_id() -> None:
    world = open_world(20, 20)
    late, early = world.add_crowd(0, 3.0, 0.3), world.add_crowd(0, 3.0, 0.3)
    early.spawn([[10.5, 8.5], [12.5, 10.5]])
    late.spawn([[8.5, 10.5], [10.5, 12.5], [10.5, 10.5]])
    found, distance = world.agents.nearest([[10.5, 10.5]], 4)
    assert keys(found[0]) == [(0, 2), (0, 0), (0, 1), (1, 0)]
    assert distance[0].tolist() == [0.0, 2.0, 2.0, 2.0]


def test_asking_changes_nothing_and_sees_every_change() -> None:
    asked, silent = crowded(40), crowded(40)
    for tick in range(40):
        asked.agents.nearest([[20, 15]], 2)
        for world in (asked, silent):
            if tick == 10:
                world.crowds[0].set_positions([1, 2], [[40.5, 3.5], [3.5, 28.5]])
            world.step(TICK)
        if tick == 10:
            x, y = asked.crowds[0].positions[1]
            assert keys(asked.agents.in_circles([[x, y]], 0.01).units) == [(0, 1)]
    assert asked.state_hash() == silent.state_hash() and asked.save() == silent.save()
    world = World()
    world.restore(asked.save())
    assert world.agents.nearest([[20, 15]], 9)[0].tolist() == asked.agents.nearest([[20, 15]], 9)[0].tolist()


def test_questions_that_are_none_are_refused_in_words() -> None:
    world = crowded(10)
    agents = world.agents
    nan = float("nan")
    for call, words in (
        (lambda: agents.in_circles([[1.0, nan]], 1.0), "expected centres that are finite"),
        (lambda: agents.in_circles([[1.0, 2.0, 3.0]], 1.0), r"expected centres of shape \(n, 2\), got \(1, 3\)"),
        (lambda: agents.in_circles([[1.0, 2.0]], -1.0), "expected a radius from 0 for each of 1 centres, got -1.0"),
        (lambda: agents.in_circles([[1.0, 2.0]], [1.0, 2.0]), "for each of 1 centres"),
        (lambda: agents.in_rectangles([[1.0, 2.0, -1.0, 2.0]]), "of a width and height from 0"),
        (lambda: agents.nearest([[1.0, 2.0]], 0), "expected a count of 1 to 1024, got 0"),
        (lambda: agents.nearest([[1.0, 2.0]], within=nan), "expected a distance from 0, got nan"),
        (lambda: agents.nearest([[1.0, 2.0]], teams=1 << 32), "teams are a mask of 32 bits"),
        (lambda: setattr(world.crowds[0], "team", 32), "a team is 0 to 31, got 32"),
        (lambda: setattr(world.crowds[0], "layers", -2), "layers are a mask of 32 bits"),
    ):
        with pytest.raises(WorldError, match=words):
            call()
    assert len(agents.in_circles([], 1.0).units) == 0 and agents.nearest([])[0].shape == (0, 1)
