"""Draws ``units.png``, the sprite sheet of the horde: 8 headings (rows, E SE S SW W NW N NE) x 8 steps of a walk (columns).

Every figure is built of capsules in 3D (x east, y south, z up), projected at a slant and shaded like spheres. The channels are
not colours but materials (red cloth, green skin, blue metal and bone), each times its shade: the shader of the units mixes the
colours of each unit from them, so one sheet gives any number of liveries. Black means leather and outline.

Run: ``python scenes/shared/art/draw_units.py`` (needs numpy and Pillow); the result is committed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

CELL = 64
OVERSAMPLING = 4
HEADINGS = 8
STEPS = 8
SLANT = 0.62  # how much of a length on the ground remains on the picture, seen from above at a slant
FEET_AT = 0.85  # height of the feet in the cell
PIXELS_PER_UNIT = 0.76  # a figure one unit tall takes this part of a cell

CLOTH = (1.0, 0.0, 0.0)
CLOTH_DARK = (0.62, 0.0, 0.0)
SKIN = (0.0, 1.0, 0.0)
SKIN_DARK = (0.0, 0.7, 0.0)
METAL = (0.0, 0.0, 0.82)
BONE = (0.0, 0.0, 1.0)
LEATHER = (0.16, 0.10, 0.05)
WOOD = (0.22, 0.16, 0.10)
EYE = (0.9, 0.9, 0.35)

Floats = npt.NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Part:
    """A capsule from ``start`` to ``end`` whose radius goes from the first to the second number."""

    start: Point
    end: Point
    start_radius: float
    end_radius: float
    material: tuple[float, float, float]
    flat: bool = False  # without shading: eyes, marks


def figure(heading: float, step: float) -> list[Part]:
    """The parts of a raider that looks along ``heading`` (radians, y south) at ``step`` (0..1) of its walk."""
    ahead = (math.cos(heading), math.sin(heading))
    right = (-ahead[1], ahead[0])
    swing = math.sin(step * math.tau)
    lift = abs(math.cos(step * math.tau)) * 0.045

    def at(forward: float, side: float, up: float) -> Point:
        return (ahead[0] * forward + right[0] * side, ahead[1] * forward + right[1] * side, up)

    parts: list[Part] = []
    for side, sign in ((0.13, 1.0), (-0.13, -1.0)):
        reach = swing * sign * 0.20
        raised = max(0.0, math.cos(step * math.tau) * sign) * 0.07
        parts.append(Part(at(reach * 0.3, side, 0.22), at(reach, side, 0.07 + raised), 0.085, 0.075, LEATHER))
        parts.append(Part(at(reach, side, 0.06 + raised), at(reach + 0.09, side, 0.055 + raised), 0.075, 0.06, WOOD))
    bob = lift
    # Tunic, belt, chest.
    parts.append(Part(at(-0.01, 0, 0.25 + bob), at(0.0, 0, 0.45 + bob), 0.205, 0.165, CLOTH))
    parts.append(Part(at(0.015, 0, 0.335 + bob), at(0.015, 0, 0.345 + bob), 0.198, 0.198, LEATHER))
    parts.append(Part(at(0.01, 0, 0.42 + bob), at(0.0, 0, 0.52 + bob), 0.185, 0.15, CLOTH))
    # Cloak on the back.
    parts.append(Part(at(-0.12, 0, 0.50 + bob), at(-0.19 - 0.03 * swing, 0, 0.22 + bob), 0.13, 0.16, CLOTH_DARK))
    # Shield arm (left) and weapon arm (right).
    parts.append(Part(at(0.02, -0.19, 0.49 + bob), at(0.13 - swing * 0.05, -0.25, 0.36 + bob), 0.07, 0.06, SKIN_DARK))
    shield = at(0.17 - swing * 0.05, -0.27, 0.36 + bob)
    parts.append(Part(shield, (shield[0], shield[1], shield[2] + 0.03), 0.155, 0.15, WOOD))
    parts.append(
        Part(at(0.20 - swing * 0.05, -0.285, 0.365 + bob), at(0.20 - swing * 0.05, -0.285, 0.385 + bob), 0.118, 0.115, CLOTH)
    )
    parts.append(
        Part(at(0.25 - swing * 0.05, -0.30, 0.375 + bob), at(0.25 - swing * 0.05, -0.30, 0.38 + bob), 0.05, 0.045, METAL)
    )
    hand = at(0.14 + swing * 0.09, 0.25, 0.37 + bob)
    parts.append(Part(at(0.02, 0.19, 0.50 + bob), hand, 0.075, 0.06, SKIN))
    tip = (hand[0] + ahead[0] * 0.16, hand[1] + ahead[1] * 0.16, hand[2] + 0.50)
    middle = tuple(hand[i] + (tip[i] - hand[i]) * 0.42 for i in range(3))
    butt = tuple(hand[i] - (tip[i] - hand[i]) * 0.18 for i in range(3))
    parts.append(Part((butt[0], butt[1], butt[2]), (middle[0], middle[1], middle[2]), 0.026, 0.026, WOOD))
    parts.append(Part((middle[0], middle[1], middle[2]), tip, 0.058, 0.02, METAL))
    # Head, hood, horns, eyes.
    head = at(0.035, 0, 0.70 + bob)
    parts.append(Part(head, at(0.06, 0, 0.69 + bob), 0.172, 0.16, SKIN))
    parts.append(Part(at(-0.04, 0, 0.765 + bob), at(-0.01, 0, 0.80 + bob), 0.178, 0.13, CLOTH))
    parts.append(Part(at(-0.11, 0, 0.70 + bob), at(-0.15, 0, 0.60 + bob), 0.13, 0.10, CLOTH_DARK))
    for sign in (1.0, -1.0):
        parts.append(Part(at(-0.01, 0.14 * sign, 0.80 + bob), at(0.02, 0.235 * sign, 0.86 + bob), 0.05, 0.04, BONE))
        parts.append(Part(at(0.02, 0.235 * sign, 0.86 + bob), at(0.06, 0.255 * sign, 0.97 + bob), 0.04, 0.014, BONE))
        parts.append(
            Part(at(0.195, 0.075 * sign, 0.70 + bob), at(0.196, 0.075 * sign, 0.705 + bob), 0.030, 0.030, EYE, flat=True)
        )
    parts.append(Part(at(0.20, -0.05, 0.615 + bob), at(0.20, 0.05, 0.615 + bob), 0.018, 0.018, LEATHER, flat=True))
    return parts


def depth(part: Part) -> float:
    """What lies nearer to the viewer is drawn later: south is near, and so is up."""
    y = (part.start[1] + part.end[1]) / 2
    z = (part.start[2] + part.end[2]) / 2
    return y + 0.45 * z + (0.02 if part.flat else 0.0)


def draw_cell(figure_parts: list[Part], heading: float, scale: float = PIXELS_PER_UNIT) -> Floats:
    """One cell as (CELL, CELL, 4) floats, straight alpha; a figure one unit tall takes ``scale`` of its height."""
    size = CELL * OVERSAMPLING
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float64)
    x = ((columns + 0.5) / size - 0.5) / scale
    y = ((rows + 0.5) / size - FEET_AT) / scale
    color = np.zeros((size, size, 3))
    cover = np.zeros((size, size))
    light = np.array([-0.50, -0.62, 0.60])
    light /= np.linalg.norm(light)
    outline = 0.032
    parts = sorted(figure_parts, key=depth)
    for part in parts:  # the outline of all first, so that it only shows around the whole figure
        if not part.flat:
            distance, *_ = capsule(part, x, y)
            cover = np.maximum(cover, (distance < outline).astype(np.float64))
    for part in parts:
        distance, normal_x, normal_y = capsule(part, x, y)
        inside = distance < 0
        if part.flat:
            if math.sin(heading) > -0.45:  # a face is seen from the front only
                color[inside] = part.material
            continue
        bulge = np.sqrt(np.clip(1 - normal_x**2 - normal_y**2, 0, 1))
        shade = 0.52 + 0.62 * np.clip(normal_x * light[0] + normal_y * light[1] + bulge * light[2], -0.35, 1)
        rim = np.clip(-distance / 0.02, 0, 1) * 0.28 + 0.72  # a thin dark seam between parts
        value = np.clip(shade * rim, 0, 1)
        color[inside] = (np.array(part.material)[None, :] * value[:, :, None])[inside]
    small = (color * cover[:, :, None]).reshape(CELL, OVERSAMPLING, CELL, OVERSAMPLING, 3).mean(axis=(1, 3))
    alpha = cover.reshape(CELL, OVERSAMPLING, CELL, OVERSAMPLING).mean(axis=(1, 3))
    straight = small / np.maximum(alpha, 1e-6)[:, :, None]
    return np.dstack([straight, alpha])


def capsule(part: Part, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Signed distance of the projected capsule, and the screen part of its sphere-like normal."""
    start_x, start_y = part.start[0], part.start[1] * SLANT - part.start[2] * 0.86
    end_x, end_y = part.end[0], part.end[1] * SLANT - part.end[2] * 0.86
    along_x, along_y = end_x - start_x, end_y - start_y
    length = along_x**2 + along_y**2
    share = np.clip(((x - start_x) * along_x + (y - start_y) * along_y) / max(length, 1e-9), 0, 1)
    radius = part.start_radius + (part.end_radius - part.start_radius) * share
    away_x, away_y = x - (start_x + along_x * share), y - (start_y + along_y * share)
    return np.hypot(away_x, away_y) - radius, away_x / radius, away_y / radius


def main() -> None:
    """Draw the sheet beside this file."""
    sheet = np.zeros((CELL * HEADINGS, CELL * STEPS, 4))
    for row in range(HEADINGS):
        for column in range(STEPS):
            heading = row * math.tau / HEADINGS
            cell = draw_cell(figure(heading, column / STEPS), heading)
            sheet[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = cell
    picture = Image.fromarray((np.clip(sheet, 0, 1) * 255 + 0.5).astype(np.uint8), "RGBA")
    picture.save(Path(__file__).with_name("units.png"), optimize=True)


if __name__ == "__main__":
    main()
