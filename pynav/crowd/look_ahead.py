"""What an agent sees of those ahead of it; inlined into the steering pass.

Agents of a run of cells lie side by side in memory, so they are looked at LANES at a time: no branches, and sums and minima in
whole numbers, which have the same value in any order. So the compiler is free to use vectors. Before, with branches that no
processor can predict and sums of floats, looking ahead took half of the steering pass.
"""

import numpy as np

from pynav.crowd.agent_layout import POSITION_X, POSITION_Y, RADIUS, VELOCITY_X, VELOCITY_Y
from pynav.kernels import LANES, inline

HORIZON_SECONDS = np.float32(1.0)  # how far ahead a meeting counts, 0.5..2
_PER_HORIZON = np.float32(1.0)
QUEUE_GAP_TILES = np.float32(0.05)  # distance kept to the one ahead
QUEUE_GAIN_PER_SECOND = np.float32(4.0)
LOOK_SQUARED = np.float32(6.25)  # agents farther than 2.5 tiles are not looked at
SIDE_BIAS_TILES = np.float32(0.06)  # exactly head-on: both go to the same hand
_QUEUE_WIDTH = np.float32(0.8)
_ONCOMING = np.float32(-0.3)
_MARGIN = np.float32(0.05)

# Speeds and weights as whole numbers. A weight is below 2, so a sum holds for 250,000 agents in sight.
UNITS = np.float32(4096.0)
PER_UNIT = np.float32(1.0 / 4096.0)
FREE = np.int32(1 << 30)  # nobody to queue behind
_FREE_SPEED = np.float32(1 << 18)  # the same as a speed

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)
_TINY = np.float32(1e-6)


@inline
def look_ahead(values, first, last, x, y, radius, speed, heading_x, heading_y, wanted_speed, limit_units, aside_units):
    """Take the agents first..last - 1 into account: queue behind slower ones, step aside of those that will be met.

    Args:
        values: the table's values; up to LANES - 1 agents behind ``last`` are read too, and ignored.
        first: of a run of cells.
        last: its end.
        x: where the agent stands, tiles, as ``y``, ``radius``, ``speed``.
        heading_x: unit vector of where it is heading, as ``heading_y``.
        wanted_speed: how fast, tiles a second.
        limit_units: speed that those seen so far leave, in 1 / UNITS tiles a second; FREE at first.
        aside_units: how strongly they push to the left, in 1 / UNITS; 0 at first.

    Returns:
        ``limit_units`` and ``aside_units`` with these agents taken into account.
    """
    left_x = -heading_y
    left_y = heading_x
    flow_x = heading_x * wanted_speed
    flow_y = heading_y * wanted_speed
    count = np.int32(last - first)
    for index in range((last - first + LANES - 1) // LANES * LANES):
        other = first + index
        away_x = values[POSITION_X, other] - x
        away_y = values[POSITION_Y, other] - y
        forward = away_x * heading_x + away_y * heading_y
        seen = (np.int32(index) < count) & (forward > _ZERO) & (away_x * away_x + away_y * away_y <= LOOK_SQUARED)
        sideways = away_x * left_x + away_y * left_y
        touch = radius + values[RADIUS, other]
        other_x = values[VELOCITY_X, other]
        other_y = values[VELOCITY_Y, other]

        same_way = other_x * heading_x + other_y * heading_y
        follow = (forward - touch - QUEUE_GAP_TILES) * QUEUE_GAIN_PER_SECOND
        follow += same_way if same_way > _ZERO else _ZERO
        queues = seen & (abs(sideways) < touch * _QUEUE_WIDTH) & (same_way > _ONCOMING * speed)
        units = np.int32((follow if queues else _FREE_SPEED) * UNITS)
        limit_units = units if units < limit_units else limit_units

        closing_x = flow_x - other_x
        closing_y = flow_y - other_y
        closing = away_x * closing_x + away_y * closing_y
        time = closing / (closing_x * closing_x + closing_y * closing_y + _TINY)
        miss_x = away_x - closing_x * time
        miss_y = away_y - closing_y * time
        miss = miss_x * miss_x + miss_y * miss_y
        touch += _MARGIN
        meets = seen & (miss < touch * touch) & (closing > _ZERO) & (time < HORIZON_SECONDS)
        weight = (_ONE - time * _PER_HORIZON) * (_ONE - np.sqrt(miss) / touch * _HALF)
        weight = weight * _TWO if same_way < _ZERO else weight
        weight = -weight if miss_x * left_x + miss_y * left_y + SIDE_BIAS_TILES >= _ZERO else weight
        aside_units = np.int32(aside_units + np.int32((weight if meets else _ZERO) * UNITS))
    return limit_units, aside_units
