"""Sizes, footprints, and layers that follow every edit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import GridError, IntegrationField, path_to_goal
from pynav.grid.clearance import footprint_costs, size_of_radius, touched_anchors
from pynav.grid.movement_class import MovementClass
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.obstacles import Obstacles
from pynav.grid.terrain import Terrain
from tests.naive.grid import footprint_cost_array
from tests.unit.grid.pictures import cost_of

KINDS = st.sampled_from([0, 1, 1, 1, 2, 7, 255])


@pytest.mark.parametrize(
    ("radius", "size"), [(0.05, 1), (0.5, 1), (0.501, 2), (1.0, 2), (1.2, 3), (1.5, 3), (2.0, 4), (2.01, 5), (4.0, 5)]
)
def test_the_size_is_the_least_that_holds_the_diameter(radius: float, size: int) -> None:
    assert size_of_radius(radius) == size


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_footprints_are_those_of_the_reference(size: int) -> None:
    random = np.random.default_rng(size)
    for _ in range(6):
        height, width = (int(side) for side in random.integers(1, 40, 2))
        cost = random.choice([0, 1, 1, 1, 1, 1, 3, 255], (height, width)).astype(np.uint8)
        expected = footprint_cost_array(cost, size)
        assert (footprint_costs(cost, (0, 0, width, height), size) == expected).all()
        x, y = int(random.integers(0, width)), int(random.integers(0, height))
        assert (footprint_costs(cost, (x, y, width - x, height - y), size) == expected[y:, x:]).all()
    assert expected.any() or size > 1


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 8), st.integers(0, 8), st.integers(1, 5))
def test_touched_anchors_are_those_whose_footprint_holds_the_tile(width: int, height: int, x: int, y: int, size: int) -> None:
    x, y = x % width, y % height
    left, top, columns, rows = touched_anchors((x, y, 1, 1), size, width, height)
    for row in range(height):
        for column in range(width):
            before, after = (size - 1) // 2, size // 2
            covers = column - before <= x <= column + after and row - before <= y <= row + after
            assert covers == (left <= column < left + columns and top <= row < top + rows)


CLASSES = (MovementClass("ground"), MovementClass("boat", {0: 3, 2: 1}), MovementClass("bird", np.full(256, 1)))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_edited_layers_equal_layers_made_anew(data: st.DataObject) -> None:
    """Whatever is edited, put down, moved, opened or taken away: each layer is what it would be from scratch."""
    width, height = data.draw(st.integers(1, 14)), data.draw(st.integers(1, 14))
    kinds = np.array(data.draw(st.lists(KINDS, min_size=width * height, max_size=width * height)), dtype=np.uint8)
    terrain, obstacles = Terrain(kinds.reshape(height, width), CLASSES), Obstacles()
    obstacles.put_on(terrain)
    layers = NavigationLayers(terrain)
    asked = data.draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)), min_size=1, max_size=5))
    for key in asked[:3]:
        layers.get(*key)
    known: list[int] = []
    place = st.tuples(st.integers(-3, 14), st.integers(-3, 14))
    pattern = st.tuples(st.integers(1, 4), st.integers(1, 4))
    classes = st.sets(st.integers(0, 2), min_size=1)
    for _ in range(data.draw(st.integers(1, 12))):
        what = data.draw(st.sampled_from(["edit", "add", "move", "remove", "door", "turn"]))
        (x, y), (columns, rows) = data.draw(place), data.draw(pattern)
        tiles = np.ones((rows, columns), dtype=np.bool_)
        tiles[0, 0] = data.draw(st.booleans())
        inside = (x % width, y % height, min(columns, width - x % width), min(rows, height - y % height))
        rects = []
        if what == "edit":
            value = np.full(inside[:1:-1], data.draw(KINDS), dtype=np.uint8)
            terrain.set_kinds(inside[0], inside[1], value)
            rects = [inside]
        elif what == "add":
            extra = data.draw(st.sampled_from([None, 1, 200]))
            number, rects = obstacles.add(x, y, tiles, extra, data.draw(classes))
            known.append(number)
        elif what == "move" and known:
            rects = obstacles.move(data.draw(st.sampled_from(known)), x, y, tiles)
        elif what == "remove" and known:
            rects = obstacles.remove(known.pop())
        elif what == "door" and "gate" not in obstacles.doors:
            rects = obstacles.add_door("gate", inside, data.draw(classes))
        elif what == "turn" and "gate" in obstacles.doors:
            rects = obstacles.set_door_open("gate", data.draw(st.booleans()), data.draw(classes))
        for rect in rects:
            if rect[2] and rect[3]:
                layers.update(rect)
        fresh = Terrain(terrain.kinds, CLASSES)
        obstacles.put_on(fresh)
        obstacles._terrain = terrain
        for layer in layers.all:
            plain = fresh.class_costs(layer.movement_class)
            assert (layer.grid.cost == footprint_cost_array(plain, layer.size)).all()
    for key in asked:
        expected = footprint_cost_array(terrain.class_costs(key[0]), key[1])
        assert (layers.get(*key).grid.cost == expected).all()


def test_obstacles_leave_what_was_there_and_what_came_meanwhile() -> None:
    terrain, obstacles = Terrain(np.full((3, 6), 4, dtype=np.uint8), CLASSES), Obstacles()
    obstacles.put_on(terrain)
    first, _ = obstacles.add(0, 0, np.ones((2, 3)), None, [0, 1])
    second, _ = obstacles.add(1, 0, np.ones((2, 3)), 250, [0])
    assert terrain.class_costs(0)[0].tolist() == [0, 0, 0, 254, 4, 4]
    assert terrain.class_costs(2)[0].tolist() == [1] * 6  # birds fly over it
    terrain.set_kinds(1, 0, np.array([[9]], dtype=np.uint8))
    obstacles.move(first, 4, 0)
    assert terrain.class_costs(0)[0].tolist() == [4, 255, 254, 254, 0, 0]
    obstacles.remove(second)
    obstacles.remove(first)
    assert terrain.class_costs(0)[0].tolist() == [4, 9, 4, 4, 4, 4]


def test_bug_7_wide_units_are_not_sent_through_narrow_gaps() -> None:
    """A size of three goes by the gap that is three wide, not by the one of one; and so for every size and gap."""
    cost = cost_of(
        "....#....",
        ".........",
        "....#....",
        "....#....",
        "....#....",
        ".........",
        ".........",
        ".........",
        "....#....",
    )
    layers = NavigationLayers(Terrain(cost))
    expected = {1: (6.0, 1), 2: (None, None), 3: (14.82843, 6)}
    for size in (1, 3):
        field = IntegrationField(layers.get(0, size).grid)
        field.build([(7, 1)])
        path = path_to_goal(field, (1, 1))
        straight = int((np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).sum())
        length = straight + (len(path) - 1 - straight) * 2**0.5
        assert length == pytest.approx(expected[size][0], abs=1e-4)
        assert {int(y) for x, y in path if x == 4} == {expected[size][1]}
    assert not layers.get(0, 4).grid.is_connected((1, 1), (6, 1))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("gap", [1, 2, 3, 4, 5])
def test_a_size_passes_a_gap_exactly_if_it_fits(size: int, gap: int) -> None:
    cost = np.ones((11, 15), dtype=np.uint8)
    cost[:, 7] = 0
    cost[3 : 3 + gap, 7] = 1
    grid = NavigationLayers(Terrain(cost)).get(0, size).grid
    assert grid.is_connected((2, 5), (11, 5)) == (size <= gap)


def test_what_is_refused() -> None:
    with pytest.raises(GridError, match="1 to 5 tiles, got 6"):
        NavigationLayers(Terrain(np.ones((3, 3), dtype=np.uint8))).get(0, 6)
    with pytest.raises(GridError, match=r"class 0\.\.0, got 1"):
        NavigationLayers(Terrain(np.ones((3, 3), dtype=np.uint8))).get(1, 1)
    with pytest.raises(GridError, match="'a' twice"):
        Terrain(np.ones((3, 3), dtype=np.uint8), (MovementClass("a"), MovementClass("a")))
    for wrong in ([1, 2], np.full(256, 0.5), np.full(256, 256), {300: 1}, {1: -1}, {1: True}):
        with pytest.raises(GridError, match="movement class 'boat'"):
            MovementClass("boat", wrong)
    obstacles = Obstacles()
    with pytest.raises(GridError, match="no map"):
        obstacles.add(0, 0, [[1]], None, [0])
    obstacles.put_on(Terrain(np.ones((3, 3), dtype=np.uint8)))
    with pytest.raises(GridError, match="extra cost"):
        obstacles.add(0, 0, [[1]], 0, [0])
    with pytest.raises(GridError, match="rows, columns"):
        obstacles.add(0, 0, [1], None, [0])
    with pytest.raises(GridError, match="no obstacle 7"):
        obstacles.move(7, 0, 0)
    with pytest.raises(GridError, match="within 3 x 3"):
        obstacles.add_door("gate", (2, 0, 2, 1), [0])
    obstacles.add_door("gate", (0, 0, 2, 1), [0])
    with pytest.raises(GridError, match="already"):
        obstacles.add_door("gate", (0, 0, 2, 1), [0])
    with pytest.raises(GridError, match="no door 'gat'; there are: 'gate'"):
        obstacles.set_door_open("gat", True, [0])
