"""What a colour stands for, and palettes, in colours that colour-blind people tell apart (Okabe and Ito; a cividis ramp)."""

from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int, int]  # red, green, blue, alpha, 0..255

ISLAND_HUES: Final = 6
COST_STEPS: Final = 8
EASY_STEPS: Final = 3
FLOW_STEPS: Final = 24
CACHE_STEPS: Final = 4


class Role(IntEnum):
    """What is drawn; ramps and sets of colours go on from their first number."""

    NOTHING = 0
    BLOCKED = 1
    COST = 2  # 8 steps, dearer and dearer
    ISLAND = 10  # 6 hues (connected parts of the map) with two shades each (islands side by side)
    FITS = 24
    TOO_NARROW = 25
    FLOW = 30  # 24 steps, farther and farther
    EASY = 56  # 3 steps, cheaper and cheaper than most of the map
    CACHE = 60  # 4 steps, more and more kept
    TOUCHED = 70
    BESIDE = 71
    SECTOR_BORDER = 100
    MAJOR_BORDER = 101
    PORTAL = 102
    LINK = 103
    STRAIGHT_EDGE = 104
    WINDING_EDGE = 105
    ARROW = 106
    WALK = 107
    ROUTE = 108
    START = 109
    GOAL = 110
    LABEL = 111
    LABEL_GROUND = 112
    EDIT_OUTLINE = 113
    NODE = 114
    ARROW_ON_BRIGHT = 115
    FLOW_FROM_AFAR = 120  # the steps of FLOW over whole sectors, so thin that their walls are seen through it


# Roles that a user may set by name, with what they stand for.
NAMED_ROLES: Final[dict[str, Role]] = {
    "blocked": Role.BLOCKED,
    "sector_border": Role.SECTOR_BORDER,
    "portal": Role.PORTAL,
    "portal_link": Role.LINK,
    "edge": Role.STRAIGHT_EDGE,
    "winding_edge": Role.WINDING_EDGE,
    "flow_arrow": Role.ARROW,
    "walked_route": Role.WALK,
    "portal_route": Role.ROUTE,
    "start": Role.START,
    "goal": Role.GOAL,
    "unit_fits": Role.FITS,
    "unit_too_large": Role.TOO_NARROW,
    "rebuilt": Role.TOUCHED,
}

_ISLANDS: Final = ((0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (240, 228, 66), (213, 94, 0))
_CIVIDIS: Final = ((255, 234, 105), (196, 178, 110), (140, 137, 121), (86, 92, 108), (20, 48, 104))

_ON_DARK: Final[dict[Role, Colour]] = {
    Role.BLOCKED: (10, 11, 16, 190),
    Role.FITS: (0, 158, 115, 120),
    Role.TOO_NARROW: (230, 159, 0, 190),
    Role.TOUCHED: (240, 228, 66, 66),
    Role.BESIDE: (240, 228, 66, 30),
    Role.SECTOR_BORDER: (190, 208, 236, 90),
    Role.MAJOR_BORDER: (210, 222, 244, 150),
    Role.PORTAL: (86, 190, 245, 235),
    Role.LINK: (255, 255, 255, 200),
    Role.STRAIGHT_EDGE: (120, 205, 255, 190),
    Role.WINDING_EDGE: (255, 176, 40, 235),
    Role.ARROW: (240, 246, 255, 215),
    Role.ARROW_ON_BRIGHT: (24, 26, 34, 225),
    Role.WALK: (255, 255, 255, 255),
    Role.ROUTE: (255, 150, 50, 255),
    Role.START: (60, 220, 160, 255),
    Role.GOAL: (255, 110, 30, 255),
    Role.LABEL: (255, 255, 255, 255),
    Role.LABEL_GROUND: (14, 18, 28, 205),
    Role.EDIT_OUTLINE: (240, 228, 66, 235),
    Role.NODE: (255, 255, 255, 255),
}
_ON_LIGHT: Final[dict[Role, Colour]] = {
    **_ON_DARK,
    Role.BLOCKED: (28, 32, 44, 215),
    Role.FITS: (0, 158, 115, 96),
    Role.TOO_NARROW: (213, 94, 0, 170),
    Role.TOUCHED: (204, 121, 167, 84),
    Role.BESIDE: (204, 121, 167, 40),
    Role.SECTOR_BORDER: (50, 66, 100, 110),
    Role.MAJOR_BORDER: (34, 46, 76, 170),
    Role.PORTAL: (0, 114, 178, 235),
    Role.LINK: (20, 24, 36, 190),
    Role.STRAIGHT_EDGE: (0, 100, 164, 200),
    Role.WINDING_EDGE: (200, 84, 0, 240),
    Role.WALK: (14, 20, 34, 255),
    Role.ROUTE: (213, 94, 0, 255),
    Role.START: (0, 130, 95, 255),
    Role.GOAL: (213, 74, 0, 255),
    Role.LABEL: (14, 20, 34, 255),
    Role.LABEL_GROUND: (255, 255, 255, 215),
    Role.EDIT_OUTLINE: (160, 60, 120, 235),
    Role.NODE: (14, 20, 34, 255),
}


def palette(is_dark: bool = True, changes: dict[Role, Colour] | None = None) -> npt.NDArray[np.uint8]:
    """Colours of all roles.

    Args:
        is_dark: for drawing over dark ground; else for light ground.
        changes: colours that replace those of some roles.

    Returns:
        uint8 (256, 4), by role; numbers that stand for nothing are transparent.
    """
    table = np.zeros((256, 4), dtype=np.uint8)
    for role, colour in {**(_ON_DARK if is_dark else _ON_LIGHT), **(changes or {})}.items():
        table[role] = colour
    for step in range(EASY_STEPS):
        table[Role.EASY + step] = (150, 220, 255, 44 + 26 * step) if is_dark else (0, 114, 178, 40 + 24 * step)
    for step in range(COST_STEPS):
        table[Role.COST + step] = (220, 120 - 5 * step, 30, 56 + 18 * step)
    for hue, colour3 in enumerate(_ISLANDS):
        for shade, alpha in enumerate((112, 172) if is_dark else (92, 150)):
            table[Role.ISLAND + 2 * hue + shade] = (*colour3, alpha)
    ramp = np.array(_CIVIDIS, dtype=np.float64)
    for step in range(FLOW_STEPS):
        place = step / (FLOW_STEPS - 1) * (len(ramp) - 1)
        low = min(int(place), len(ramp) - 2)
        mixed = ramp[low] + (ramp[low + 1] - ramp[low]) * (place - low)
        for role, alpha in ((Role.FLOW, 178 if is_dark else 220), (Role.FLOW_FROM_AFAR, 80)):
            table[role + step] = (*np.rint(mixed).astype(int).tolist(), alpha)
    for step in range(CACHE_STEPS):
        table[Role.CACHE + step] = (236, 130, 190, 120 + 42 * step)
    return table
