"""Evaluation of a solver on a map with published optimal lengths: every route walked tile by tile.

Keys of the report:

pairs, arrived, refused
    lines of the scenario; routes that reached their goal; lines without a way, told by components before any search.
solver
    ``exact`` or ``portal``.
ratio_mean, ratio_p99, ratio_max
    walked octile length by the published optimum.
units, units_arrived, units_in_walls
    lines that a unit of 0.3 tiles' radius walked alone in a world, tick by tick; those on which it arrived; ticks in which one
    stood in a solid tile. Units follow the exact solver: 0 for the other one.
euclid_ratio_mean
    walked length of these units by the published optimum; None without units.
turning_per_tile
    radians that these units turned a tile; without units what tile by tile routes turn between one step and the next.
groups, splits
    groups of 64 starts close together, each with a goal of the scenario; those of them that part although their shortest routes
    don't (see groups.py). The exact solver's routes are the shortest themselves: 0 by that definition.
moving_groups, moving_splits, moving_units_arrived
    lines longer than 100 tiles that 64 units walked together, tick by tick, with cohesion (exact solver); those of which a unit
    was ever more than 12 steps from its leader's way; units that arrived.
moving_ratio_p99, moving_ratio_max
    walked length of these units by their own octile optimum, up to 10 tiles before the goal, where they spread out around it.
unreachable, unreachable_refused
    generated pairs of tiles without a way, where the map has several parts; those of them that got no route.
reversals
    how often a border of blocks of 16 tiles is crossed and crossed back within 10 steps.
seconds
    for all of it.
"""

from pynav.evaluation.command import add_arguments, main
from pynav.evaluation.measures import octile_length, reversals, turning
from pynav.evaluation.walking import evaluate

__all__ = ["add_arguments", "evaluate", "main", "octile_length", "reversals", "turning"]
