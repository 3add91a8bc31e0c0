"""The peer of the scenarios: optimal reciprocal collision avoidance (pyrvo's RVO2) on the same maps, starts and goals.

It is led as well as it can be: straight to the goal where no wall lies between, else to a point a few tiles along the exact flow,
with the tiny random push that its authors advise against symmetry. Its agents cannot know that others have arrived before them,
so around a goal that all share an agent counts as arrived within the disc that all together fill, and a quarter more.
"""

import numpy as np
import numpy.typing as npt

from benchmarks.scenarios.geometry import SPEED, Group, Scenario
from benchmarks.scenarios.measures import Measures
from benchmarks.scenarios.runs import DT, SPEED_VARIATION, Outcome, drawn, radii
from pynav.grid import DIRECTION_X, DIRECTION_Y, FlowField, TileGrid

NEIGHBOUR_TILES, NEIGHBOURS = 4.0, 10
HORIZON_SECONDS, WALL_HORIZON_SECONDS = 1.5, 0.5
AHEAD_STEPS = 3
THERE_TILES = 1.5  # so near to a goal tile's middle it is walked to straight
PUSH = 0.01
AWAY = 1000.0  # where those who have left are put: it can't take agents out
PACKED = 0.85  # part of a disc that packed discs fill
Points = npt.NDArray[np.float64]


class Lead:
    """Where the agents of a group want to go, in a peer that finds no ways itself."""

    def __init__(self, cost: npt.NDArray[np.uint8], group: Group) -> None:
        self.goals = np.array(group.goal, dtype=np.float64) + 0.5
        self.is_open = bool((cost[1:-1, 1:-1] != 0).all())
        field = FlowField(TileGrid(cost), group.goal)
        field.begin()
        while not field.work():
            pass
        field.publish()
        self._flow = field.flow.copy()
        self._step = np.array([(*pair,) for pair in zip(DIRECTION_X, DIRECTION_Y, strict=True)] + [(0, 0)] * 3)

    def distance(self, place: Points) -> npt.NDArray[np.float64]:
        """To the nearest goal tile's middle."""
        return np.linalg.norm(place[:, None] - self.goals[None], axis=2).min(axis=1)

    def aim(self, place: Points) -> Points:
        """The points to walk to."""
        nearest = self.goals[self.nearest(place)]
        if self.is_open:
            return nearest
        is_there = np.linalg.norm(place - nearest, axis=1) < THERE_TILES
        return np.where(is_there[:, None], nearest, self.ahead(np.floor(place).astype(np.int64)) + 0.5)

    def nearest(self, place: Points) -> npt.NDArray[np.int64]:
        """Numbers of the nearest goal tiles."""
        return np.asarray(np.linalg.norm(place[:, None] - self.goals[None], axis=2).argmin(axis=1))

    def ahead(self, tile: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The tiles some steps along the flow."""
        for _ in range(AHEAD_STEPS):
            tile = tile + self._step[self._flow[tile[:, 1] + 1, tile[:, 0] + 1]]
        return tile


def run_peer(name: str, seed: int) -> Outcome:
    """A run of pyrvo."""
    import pyrvo

    scenario = drawn(name, seed)
    random = np.random.default_rng(seed + 1000)
    radius = radii(scenario)
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(DT)
    place = np.concatenate([group.start for group in scenario.groups])
    speed = SPEED * (1.0 + random.uniform(-SPEED_VARIATION, SPEED_VARIATION, len(place)))
    for (x, y), own_radius, own_speed in zip(place, radius, speed, strict=True):
        simulator.add_agent((x, y), NEIGHBOUR_TILES, NEIGHBOURS, HORIZON_SECONDS, WALL_HORIZON_SECONDS, own_radius, own_speed)
    for left, top, right, bottom in wall_runs(scenario.cost):
        simulator.add_obstacle([(left, top), (right, top), (right, bottom), (left, bottom)])
    simulator.process_obstacles()
    leads = [Lead(scenario.cost, group) for group in scenario.groups]
    return _run(scenario, simulator, leads, radius, speed, random)


def _run(scenario: Scenario, simulator, leads, radius, speed, random) -> Outcome:  # type: ignore[no-untyped-def]
    count = len(radius)
    measures = Measures(scenario.cost, radius, SPEED * (1.0 + SPEED_VARIATION), DT)
    first = np.cumsum([0] + [len(group.start) for group in scenario.groups])
    arrived: npt.NDArray[np.bool_] = np.zeros(count, dtype=bool)
    near = arrival_distance(scenario)
    for tick in range(int(scenario.limit / DT)):
        place = np.array([(p.x, p.y) for p in (simulator.get_agent_position(agent) for agent in range(count))])
        wanted = np.zeros((count, 2))
        for lead, begin, end in zip(leads, first[:-1], first[1:], strict=True):
            walking = np.flatnonzero(~arrived[begin:end]) + begin
            if not len(walking):
                continue
            arrived[walking[lead.distance(place[walking]) < near]] = True
            away = lead.aim(place[walking]) - place[walking]
            size = np.maximum(np.linalg.norm(away, axis=1), 1e-9)
            wanted[walking] = away / size[:, None] * np.minimum(speed[walking], size / DT)[:, None]
        wanted[arrived] = 0.0
        push = random.uniform(-PUSH, PUSH, (count, 2))
        for agent in range(count):
            if scenario.leaves and arrived[agent]:
                simulator.set_agent_position(agent, (AWAY + 10.0 * agent, AWAY))
            simulator.set_agent_pref_velocity(agent, tuple(wanted[agent] + (0.0 if arrived[agent] else push[agent])))
        simulator.do_step()
        there = ~arrived if scenario.leaves else np.ones(count, dtype=bool)
        measures.take(place, there, arrived)
        if arrived.all():
            return Outcome(True, tick * DT, measures)
    return Outcome(False, scenario.limit, measures)


def arrival_distance(scenario: Scenario) -> float:
    """How near to its goal an agent of a peer counts as arrived, tiles."""
    if len(scenario.groups) == 1 and not scenario.leaves:
        return float(1.25 * np.sqrt((radii(scenario) ** 2).sum() / PACKED))
    return scenario.arrive_radius


def wall_runs(cost: npt.NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """Solid tiles as rectangles (left, top, right, bottom): runs along the rows."""
    found = []
    for row, line in enumerate(cost):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], (line == 0).astype(np.int8), [0]])))
        found += [(int(left), row, int(right), row + 1) for left, right in edges.reshape(-1, 2)]
    return found
