"""Questions that wait: the answers of the direct questions, on ticks that depend on the calls alone, whatever is edited."""

from typing import Any

import numpy as np
import pytest

from pynav.grid import GridError, TileGrid
from pynav.sectors import BlockGraph
from pynav.sectors.route_queries import RouteQueries
from pynav.sectors.route_requests import DISTANCES, NEAREST_REACHABLE, PATH, REACHABLE, RouteRequest, RouteRequests
from tests.unit.sectors.maps import random_goals, random_map


def requests_on(grid: TileGrid) -> tuple[RouteRequests, BlockGraph, RouteQueries]:
    graph = BlockGraph(grid)
    queries = RouteQueries(graph)
    return RouteRequests(lambda name, size: queries), graph, queries


def direct_answer(direct: RouteQueries, asked: RouteRequest) -> Any:
    starts = [(x, y) for x, y in asked.starts.tolist()]
    if asked.kind == PATH:
        return direct.path(starts[0], asked.goal).tolist()
    if asked.kind == DISTANCES:
        return direct.distances(asked.starts, asked.goal).tolist()
    if asked.kind == REACHABLE:
        return [direct.is_reachable(start, asked.goal) for start in starts]
    return direct.nearest_reachable(starts[0], asked.goal)


def test_answers_are_those_of_direct_questions_at_the_time_over_edits() -> None:
    random = np.random.default_rng(3)
    answered = {PATH: 0, DISTANCES: 0, REACHABLE: 0, NEAREST_REACHABLE: 0}
    for _ in range(12):
        cost = random_map(random, 20, 80)
        grid = TileGrid(cost)
        requests, graph, _ = requests_on(grid)
        goals = random_goals(random, cost, 4)
        for tick in range(60):
            if tick < 30:
                goal = goals[int(random.integers(0, len(goals)))]
                starts = random.integers(-1, 80, (int(random.integers(0, 9)), 2))
                requests.submit(DISTANCES, starts, goal)
                requests.submit(REACHABLE, starts, goal)
                requests.submit(PATH, random.integers(0, 60, (1, 2)), goal)
                requests.submit(NEAREST_REACHABLE, random.integers(0, 60, (1, 2)), goal)
            if tick % 7 == 3:
                x, y = int(random.integers(0, grid.width)), int(random.integers(0, grid.height))
                grid.set_cost_rect(x, y, [[int(random.integers(0, 4))]])
                graph.update(x, y, 1, 1)
            requests.advance(150)
            direct = RouteQueries(graph)
            for answer in requests.take_answers():
                asked = answer.request
                expected = direct_answer(direct, asked)
                found = answer.result.tolist() if isinstance(answer.result, np.ndarray) else answer.result
                assert found == expected and not answer.problem
                answered[asked.kind] += 1
        while requests.waiting_count:
            requests.advance(10_000)
    assert min(answered.values()) > 100


def test_a_search_takes_as_many_ticks_as_its_work_has_shares() -> None:
    grid = TileGrid(np.ones((330, 330), dtype=np.uint8))

    def ticks(units: int) -> int:
        requests, _, _ = requests_on(grid)
        requests.submit(PATH, [(3, 3)], (320, 310))
        for tick in range(1, 10_000):
            requests.advance(units)
            if requests.take_answers():
                return tick
        raise AssertionError("never answered")

    assert ticks(100_000) == 1
    few, many = ticks(100), ticks(10)
    assert few > 3 and 10 * (few - 1) < many <= 10 * few


def test_one_search_serves_all_that_wait_for_its_goal_and_debts_are_paid() -> None:
    requests, _, queries = requests_on(TileGrid(np.ones((200, 200), dtype=np.uint8)))
    searches = []
    begin = queries.begin_search
    queries.begin_search = lambda goal: searches.append(goal) or begin(goal)  # type: ignore[method-assign, func-returns-value]
    for number in range(40):
        requests.submit(PATH, [(number, 3)], (190, 190) if number % 2 else (5, 190))
    per_tick = []
    while requests.waiting_count:
        requests.advance(400)
        per_tick.append(len(requests.take_answers()))
    assert searches == [(5, 190), (190, 190)]
    assert sum(per_tick) == 40 and max(per_tick) <= 3  # a path of some 200 tiles takes half a tick's units


def test_continuous_edits_do_not_starve_a_search() -> None:
    grid = TileGrid(np.ones((330, 330), dtype=np.uint8))
    requests, graph, _ = requests_on(grid)
    requests.submit(PATH, [(3, 3)], (320, 310))
    for tick in range(4):
        grid.set_cost_rect(100 + tick, 100, [[0]])
        graph.update(100 + tick, 100, 1, 1)
        requests.advance(20)
        assert len(requests.take_answers()) == (tick == 3)


def test_who_is_cancelled_gets_no_answer() -> None:
    requests, _, _ = requests_on(TileGrid(np.ones((100, 100), dtype=np.uint8)))
    first, second = (requests.submit(PATH, [(1, 1)], goal) for goal in ((90, 90), (90, 10)))
    requests.advance(1)
    assert requests.is_waiting(first) and requests.cancel(first) and not requests.cancel(first)
    for _ in range(20):
        requests.advance(100)
    assert [answer.request.number for answer in requests.take_answers()] == [second]
    assert not requests.cancel(second) and requests.waiting_count == 0


def test_what_is_asked_wrongly_is_refused_at_once_and_what_turns_wrong_is_told() -> None:
    requests, _, _ = requests_on(TileGrid([[1, 1]]))
    for kind, starts, expected in (
        ("way", [(0, 0)], "one of path"), (PATH, [(0, 0), (1, 0)], "takes one start"), (PATH, [], "takes one start"),
        (DISTANCES, [(0.5, 1.0)], "whole numbers"), (REACHABLE, [1, 2], "whole numbers"),
    ):  # fmt: skip
        with pytest.raises(GridError, match=expected):
            requests.submit(kind, starts, (0, 0))
    assert requests.waiting_count == 0
    requests.submit(PATH, [(0, 0)], (1, 0))

    def gone(name: str, size: int) -> RouteQueries:
        raise GridError("there is no such class")

    requests.routes_for = gone
    requests.advance(10)
    (answer,) = requests.take_answers()
    assert answer.result is None and "no such class" in answer.problem
