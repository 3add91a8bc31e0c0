"""The pace of the passes over agents: which of them run in a tick, and for how long a time the agents move.

In worlds of up to 20,000 agents every tick runs all passes. In larger ones two ticks share a move: the first sorts the
table, lists contacts and makes half of the wishes, the second makes the other half and moves the agents, for two ticks' time.
Half of that way is gone at once and the other half as the next tick begins, so that agents move in every tick, and a tick costs
a good deal less.

Nothing that comes in between is lost. Where agents came, left or were put elsewhere since the lists were made, where new orders
have come (who is told something sets off in the same tick), or where a tick takes another time than the one before, a tick runs
all passes from where the agents are. Whom an edit puts out of a wall as a tick begins stays where it was put until the next move,
and meets its new neighbours with the next lists. Worlds with bodies that the game moves (bodies.py), and with agents that would
go farther than LONGEST_MOVE_TILES, are moved in every tick.
"""

from enum import IntEnum
from typing import Any, NamedTuple

WISH_INTERVAL_TICKS = 4  # a power of two
LONG_WISH_INTERVAL_TICKS = 8  # in large worlds; half the cost, a little less nimble
LARGE_WORLD_AGENTS = 20_000
LONGEST_MOVE_TILES = 0.25


class Passes(IntEnum):
    """Which passes a tick runs."""

    ALL = 0  # but for the sort and the lists, where those are there
    LISTS = 1  # the second half of the move before, the sort, contact lists, half of the wishes
    MOVES = 2  # the other half, and the move
    LISTS_AGAIN = 3  # the sort and contact lists alone; no tick's turn


class Stage(IntEnum):
    """What a tick has left to the next one."""

    DONE = 0
    LISTED = 1  # contact lists and wishes, for a move in the next tick
    HALFWAY = 2  # agents half-way of a move


class Turn(NamedTuple):
    """What passes need to know of a tick.

    Attributes:
        passes: which run.
        number: counts moves; says whose turn it is to make a wish.
        dt: seconds that agents move for.
        wish_interval: moves from one wish of an agent to its next, a power of two.
        is_halved: whether they go half of the way now and half in the next tick.
        has_lists: whether the table is sorted and contacts are listed as agents stand now.
    """

    passes: Passes
    number: int
    dt: float
    wish_interval: int
    is_halved: bool
    has_lists: bool = False


class Pace:
    """Where a world is between two moves. Part of its state.

    Attributes:
        large_world_agents: beyond so many a world is large.
        rows_changed: whether agents have come or left, or changed their size, since the last tick.
        places_changed: whether agents were put elsewhere.
        orders_came: whether some are to set off.
    """

    def __init__(self) -> None:
        self.large_world_agents = LARGE_WORLD_AGENTS
        self.stage = Stage.DONE
        self._dt = 0.0
        self.rows_changed = self.places_changed = self.orders_came = False

    @property
    def has_lists(self) -> bool:
        """Whether contacts are listed as agents stand, for the move that is next."""
        return self.stage == Stage.LISTED and not (self.rows_changed or self.places_changed)

    def next_turn(self, tick: int, dt: float, agent_count: int, largest_speed: float, has_bodies: bool) -> Turn:
        """Decide about a tick.

        Args:
            tick: its number.
            dt: seconds that it takes.
            agent_count: agents in the table.
            largest_speed: tiles a second.
            has_bodies: whether the game moves bodies among the agents.
        """
        has_lists = self.has_lists
        places_changed, orders_came = self.places_changed, self.orders_came
        self.rows_changed = self.places_changed = self.orders_came = False
        is_large = agent_count > self.large_world_agents
        if not is_large or has_bodies or 2.0 * dt * largest_speed > LONGEST_MOVE_TILES:
            self.stage = Stage.DONE
            return Turn(Passes.ALL, tick, dt, LONG_WISH_INTERVAL_TICKS if is_large else WISH_INTERVAL_TICKS, False)
        passes = Passes.ALL
        if has_lists and not orders_came:
            passes = Passes.MOVES
        elif self.stage == Stage.HALFWAY and dt == self._dt and not (places_changed or orders_came):
            passes = Passes.LISTS
        self.stage = Stage.LISTED if passes == Passes.LISTS else Stage.HALFWAY
        self._dt = dt
        number = (tick + 1) // 2 if passes == Passes.LISTS else tick // 2  # the same in the two ticks of a move
        return Turn(passes, number, 2.0 * dt, LONG_WISH_INTERVAL_TICKS // 2, True, has_lists)

    def state(self) -> dict[str, Any]:
        """What a snapshot needs."""
        return {
            "large_world_agents": self.large_world_agents,
            "stage": int(self.stage),
            "dt": self._dt,
            "rows_changed": self.rows_changed,
            "places_changed": self.places_changed,
            "orders_came": self.orders_came,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take up a state."""
        self.large_world_agents = int(state["large_world_agents"])
        self.stage, self._dt = Stage(state["stage"]), float(state["dt"])
        self.rows_changed, self.places_changed = bool(state["rows_changed"]), bool(state["places_changed"])
        self.orders_came = bool(state["orders_came"])
