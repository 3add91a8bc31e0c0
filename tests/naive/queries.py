"""Slow, obvious references of questions about who is where: every agent is looked at."""

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd import Crowd

Entry = tuple[np.float32, int, int]  # squared distance, crowd, id


def _wanted(crowds: tuple[Crowd, ...], teams: int, layers: int) -> list[Crowd]:
    return [crowd for crowd in crowds if teams >> crowd.team & 1 and crowd.layers & layers]


def nearest(crowds: tuple[Crowd, ...], x: float, y: float, within: float, teams: int, layers: int) -> list[Entry]:
    """All wanted agents no farther than ``within``, by distance, crowd, id."""
    found = []
    for crowd in _wanted(crowds, teams, layers):
        for unit in np.flatnonzero(crowd.alive).tolist():
            away = crowd.positions[unit] - np.array([x, y], dtype=np.float32)
            squared = away[0] * away[0] + away[1] * away[1]
            if squared <= np.float32(within) * np.float32(within):
                found.append((squared, crowd.index, unit))
    return sorted(found)


def in_rectangle(crowds: tuple[Crowd, ...], rectangle: npt.NDArray[np.float32], teams: int, layers: int) -> list[tuple[int, int]]:
    """Crowds and ids of wanted agents in x, y, width, height."""
    left, top, width, height = rectangle
    found = []
    for crowd in _wanted(crowds, teams, layers):
        for unit in np.flatnonzero(crowd.alive).tolist():
            x, y = crowd.positions[unit]
            if left <= x <= left + width and top <= y <= top + height:
                found.append((crowd.index, unit))
    return found
