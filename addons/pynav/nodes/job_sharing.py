"""Which budget the maps in the scene tree work by: that of the first NavJobScheduler there, else the core's own.

Maps and schedulers say when they enter and leave the tree, in any order; nothing is looked for each tick.
"""

from __future__ import annotations

from typing import Any

from pynav.jobs import JobBudget
from pynav.world import World

_maps: list[Any] = []
_schedulers: list[Any] = []


def enter_map(node: Any) -> None:
    """A map entered the tree: its world goes by the scheduler's budget, if there is one."""
    _maps.append(node)
    if _schedulers:
        _give(node)


def leave_map(node: Any) -> None:
    """A map left the tree; its world keeps its budget."""
    _maps[:] = [other for other in _maps if other is not node]


def enter_scheduler(node: Any) -> bool:
    """A scheduler entered the tree; whether it counts."""
    _schedulers.append(node)
    _schedulers_changed()
    return _schedulers[0] is node


def leave_scheduler(node: Any) -> None:
    """A scheduler left the tree: the next one counts, or the core's own budget."""
    _schedulers[:] = [other for other in _schedulers if other is not node]
    _schedulers_changed()


def _schedulers_changed() -> None:
    for node in _schedulers:
        node._counting_changed()
    budget_changed()


def counting() -> Any:
    """The scheduler that counts; None if there is none."""
    return _schedulers[0] if _schedulers else None


def budget() -> JobBudget:
    """What the worlds of maps in the tree go by."""
    return _schedulers[0]._budget if _schedulers else JobBudget()


def budget_changed() -> None:
    """Give all worlds the budget of now."""
    for node in _maps:
        _give(node)


def _give(node: Any) -> None:
    if node._world is not None:
        node._world.job_budget = budget()


def worlds() -> list[World]:
    """The worlds of all maps in the tree."""
    return [node._world for node in _maps if node._world is not None]
