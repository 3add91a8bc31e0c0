"""Monitors in the debugger: figures of all maps in the tree. They are read only while somebody looks."""

from __future__ import annotations

from collections.abc import Callable as Function
from functools import partial
from typing import Any

from addons.pynav.bridge import Callable, is_editor, singleton
from pynav.jobs import CacheCounts

from . import game_reports

_maps: list[Any] = []


def _agents() -> float:
    return float(sum(node._world.agent_count for node in _maps if node._world is not None))


def _tick_ms() -> float:
    return float(sum(node._cost.total for node in _maps)) * 1e-6


def _kernels_ms() -> float:
    return float(sum(node._cost.kernels for node in _maps)) * 1e-6


def _budget_used() -> float:
    """Percent of its budget that the map with the most work on fields used in the latest tick."""
    worlds = [node._world for node in _maps if node._world is not None]
    return max((100.0 * world.job_statistics.last_us / world.job_budget.frame_units for world in worlds), default=0.0)


def _rebuilds() -> float:
    """Fields built since the maps were made."""
    return float(sum(node._world.job_statistics.finished for node in _maps if node._world is not None))


def _hit_percent(name: str) -> float:
    """Percent of the questions to a cache of all maps whose answer was there (World.cache_counts)."""
    counts = [node._world.cache_counts[name] for node in _maps if node._world is not None]
    return sum(counts, CacheCounts()).hit_percent


MONITORS: dict[str, Function[[], float]] = {
    "pynav/agents": _agents,
    "pynav/tick_ms": _tick_ms,
    "pynav/kernels_ms": _kernels_ms,
    "pynav/budget_used_percent": _budget_used,
    "pynav/rebuilds": _rebuilds,
    "pynav/flow_cache_hit_percent": partial(_hit_percent, "flows"),
    "pynav/block_cache_hit_percent": partial(_hit_percent, "matrices"),
}


def enter_map(node: Any) -> None:
    """A map entered the tree of a running game."""
    if is_editor():
        return
    game_reports.attach()
    _maps.append(node)
    if len(_maps) == 1:
        performance = singleton("Performance")
        for name, read in MONITORS.items():
            performance.add_custom_monitor(name, Callable(read))


def leave_map(node: Any) -> None:
    """A map left the tree; the last one takes the monitors along."""
    before = len(_maps)
    _maps[:] = [other for other in _maps if other is not node]
    if before and not _maps:
        performance = singleton("Performance")
        for name in MONITORS:
            performance.remove_custom_monitor(name)
