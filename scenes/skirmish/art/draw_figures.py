"""Draws the sprite sheets of the skirmish: soldiers, pikemen, archers, brutes (8 headings x 12 columns) and the catapult.

Rows are headings E SE S SW W NW N NE. Columns 0 to 7 are steps of a walk (of the wheels, for the catapult), 8 to 11 a strike:
drawn back, half way, struck, recovering. Materials, shading and outline are those of the raiders: see ``draw_units.py`` of the
shared art.

Run: ``python scenes/skirmish/art/draw_figures.py`` (needs numpy and Pillow); the results are committed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[2] / "shared" / "art"))
from draw_units import (
    BONE,
    CELL,
    CLOTH,
    CLOTH_DARK,
    EYE,
    HEADINGS,
    LEATHER,
    METAL,
    SKIN,
    SKIN_DARK,
    STEPS,
    WOOD,
    Part,
    Point,
    draw_cell,
)

STRIKES = 4
STEEL = (0.05, 0.05, 0.66)
TIMBER = (0.40, 0.27, 0.15)
TIMBER_DARK = (0.28, 0.18, 0.10)
STRING = (0.0, 0.0, 0.9)
# How far a strike has come, by column: back is negative, 1 is struck.
SWING = (-0.8, 0.35, 1.0, 0.45)


@dataclass
class Pose:
    """Where a figure looks and what it does: ``step`` 0..1 of a walk, ``strike`` -1..1 (None: it walks)."""

    heading: float
    step: float
    strike: float | None

    def at(self, forward: float, side: float, up: float) -> Point:
        """A place in the figure's own directions."""
        ahead = (math.cos(self.heading), math.sin(self.heading))
        return (ahead[0] * forward - ahead[1] * side, ahead[1] * forward + ahead[0] * side, up)

    @property
    def swing(self) -> float:
        """Legs and arms, -1..1."""
        return 0.0 if self.strike is not None else math.sin(self.step * math.tau)

    @property
    def lean(self) -> float:
        """How far the body goes with a strike."""
        return 0.0 if self.strike is None else self.strike * 0.06

    @property
    def bob(self) -> float:
        """How high the body is."""
        return 0.0 if self.strike is not None else abs(math.cos(self.step * math.tau)) * 0.045


def legs(pose: Pose, boots: tuple[float, float, float] = LEATHER) -> list[Part]:
    """Two legs; a striking figure stands with one foot ahead."""
    parts = []
    for side, sign in ((0.12, 1.0), (-0.12, -1.0)):
        reach = pose.swing * sign * 0.20 if pose.strike is None else 0.10 * -sign
        raised = max(0.0, math.cos(pose.step * math.tau) * sign) * 0.07 if pose.strike is None else 0.0
        parts.append(Part(pose.at(reach * 0.3, side, 0.22), pose.at(reach, side, 0.07 + raised), 0.085, 0.075, boots))
        parts.append(Part(pose.at(reach, side, 0.06 + raised), pose.at(reach + 0.09, side, 0.055 + raised), 0.075, 0.06, WOOD))
    return parts


def torso(pose: Pose, cloth: tuple[float, float, float], width: float = 1.0) -> list[Part]:
    """Tunic, belt, chest."""
    lean, bob = pose.lean, pose.bob
    return [
        Part(pose.at(-0.01, 0, 0.24 + bob), pose.at(lean, 0, 0.45 + bob), 0.20 * width, 0.165 * width, CLOTH),
        Part(pose.at(0.015, 0, 0.335 + bob), pose.at(0.015, 0, 0.345 + bob), 0.195 * width, 0.195 * width, LEATHER),
        Part(pose.at(0.01 + lean, 0, 0.42 + bob), pose.at(lean, 0, 0.53 + bob), 0.185 * width, 0.15 * width, cloth),
    ]


def face(pose: Pose, up: float = 0.71) -> list[Part]:
    """Head and eyes."""
    lean, bob = pose.lean, pose.bob
    parts = [Part(pose.at(0.03 + lean, 0, up + bob), pose.at(0.05 + lean, 0, up - 0.01 + bob), 0.155, 0.145, SKIN)]
    for sign in (1.0, -1.0):
        eye = pose.at(0.175 + lean, 0.065 * sign, up + bob)
        parts.append(Part(eye, (eye[0] + 0.001, eye[1], eye[2] + 0.005), 0.024, 0.024, LEATHER, flat=True))
    return parts


def soldier(pose: Pose) -> list[Part]:
    """Sword, tall shield, a helmet with a crest."""
    lean, bob, swing = pose.lean, pose.bob, pose.swing
    parts = legs(pose) + torso(pose, STEEL) + face(pose)
    parts.append(Part(pose.at(-0.03 + lean, 0, 0.79 + bob), pose.at(0.0 + lean, 0, 0.82 + bob), 0.175, 0.14, METAL))
    parts.append(Part(pose.at(-0.12 + lean, 0, 0.90 + bob), pose.at(0.07 + lean, 0, 0.95 + bob), 0.045, 0.06, CLOTH))
    for sign in (1.0, -1.0):  # shoulders
        parts.append(Part(pose.at(lean, 0.19 * sign, 0.53 + bob), pose.at(lean, 0.20 * sign, 0.50 + bob), 0.085, 0.075, METAL))
    shield = 0.20 - swing * 0.04 + lean
    parts.append(Part(pose.at(shield, -0.22, 0.50 + bob), pose.at(shield, -0.22, 0.26 + bob), 0.150, 0.085, METAL))
    parts.append(
        Part(pose.at(shield + 0.035, -0.225, 0.49 + bob), pose.at(shield + 0.035, -0.225, 0.28 + bob), 0.115, 0.055, CLOTH)
    )
    parts.append(Part(pose.at(shield + 0.07, -0.23, 0.42 + bob), pose.at(shield + 0.07, -0.23, 0.41 + bob), 0.04, 0.04, BONE))
    strike = pose.strike
    if strike is None:
        hand, tip = pose.at(0.14 + swing * 0.09, 0.25, 0.36 + bob), pose.at(0.30 + swing * 0.09, 0.28, 0.80 + bob)
    else:
        hand = pose.at(0.06 + 0.24 * strike, 0.22 - 0.10 * strike, 0.50 - 0.10 * strike)
        tip = pose.at(0.02 + 0.62 * strike, 0.26 - 0.30 * strike, 0.86 - 0.50 * max(strike, 0.0))
    parts.append(Part(pose.at(0.02 + lean, 0.19, 0.50 + bob), hand, 0.07, 0.06, STEEL))
    parts.append(Part(hand, tip, 0.045, 0.018, METAL))
    parts.append(Part(hand, tuple(h * 1.0 for h in hand), 0.062, 0.062, LEATHER))  # type: ignore[arg-type]
    return parts


def pikeman(pose: Pose) -> list[Part]:
    """A long pike in both hands, a wide iron hat, a quilted coat."""
    lean, bob, swing = pose.lean, pose.bob, pose.swing
    parts = legs(pose) + torso(pose, CLOTH, 1.06) + face(pose)
    parts.append(Part(pose.at(0.0 + lean, 0, 0.79 + bob), pose.at(0.02 + lean, 0, 0.795 + bob), 0.235, 0.235, METAL))
    parts.append(Part(pose.at(0.0 + lean, 0, 0.83 + bob), pose.at(0.0 + lean, 0, 0.88 + bob), 0.15, 0.09, STEEL))
    parts.append(Part(pose.at(0.08 + lean, 0, 0.50 + bob), pose.at(0.10 + lean, 0, 0.36 + bob), 0.12, 0.10, BONE))
    strike = pose.strike
    if strike is None:
        butt, tip = pose.at(-0.16 + swing * 0.05, 0.20, 0.14 + bob), pose.at(0.30 + swing * 0.05, 0.14, 1.32 + bob)
    else:
        push = 0.20 * strike
        butt, tip = pose.at(-0.45 + push, 0.16, 0.44), pose.at(0.85 + push, 0.02, 0.50)
    low = tuple(butt[i] + (tip[i] - butt[i]) * 0.24 for i in range(3))
    high = tuple(butt[i] + (tip[i] - butt[i]) * 0.42 for i in range(3))
    neck = tuple(butt[i] + (tip[i] - butt[i]) * 0.84 for i in range(3))
    parts.append(Part(butt, neck, 0.026, 0.024, TIMBER))  # type: ignore[arg-type]
    parts.append(Part(neck, tip, 0.055, 0.012, METAL))  # type: ignore[arg-type]
    parts.append(Part(pose.at(0.02 + lean, 0.19, 0.51 + bob), low, 0.07, 0.06, CLOTH_DARK))  # type: ignore[arg-type]
    parts.append(Part(pose.at(0.02 + lean, -0.19, 0.51 + bob), high, 0.07, 0.06, CLOTH_DARK))  # type: ignore[arg-type]
    return parts


def archer(pose: Pose) -> list[Part]:
    """A longbow, a hood, a quiver on the back."""
    lean, bob, swing = pose.lean * 0.3, pose.bob, pose.swing
    parts = legs(pose) + torso(pose, CLOTH, 0.92) + face(pose)
    parts.append(Part(pose.at(-0.04 + lean, 0, 0.77 + bob), pose.at(-0.02 + lean, 0, 0.82 + bob), 0.175, 0.12, CLOTH_DARK))
    parts.append(Part(pose.at(-0.10 + lean, 0, 0.73 + bob), pose.at(-0.16, 0, 0.56 + bob), 0.13, 0.11, CLOTH_DARK))
    parts.append(Part(pose.at(-0.18, 0.06, 0.30 + bob), pose.at(-0.17, 0.10, 0.60 + bob), 0.065, 0.07, TIMBER_DARK))
    for side in (0.07, 0.11, 0.15):
        parts.append(Part(pose.at(-0.17, side, 0.62 + bob), pose.at(-0.165, side, 0.73 + bob), 0.026, 0.03, BONE))
    strike = pose.strike
    if strike is None:
        grip, draw = pose.at(0.16 - swing * 0.06, -0.25, 0.40 + bob), 0.0
        hand = pose.at(0.10 + swing * 0.08, 0.23, 0.34 + bob)
    else:
        grip, draw = pose.at(0.34, -0.06, 0.55), max(0.0, -strike)
        hand = pose.at(0.30 - 0.36 * draw - 0.10 * (strike > 0), 0.05, 0.55)
    for sign in (1.0, -1.0):
        bend = pose.at(-0.10 - 0.06 * draw, 0.0, sign * 0.40)
        tip = (grip[0] + bend[0], grip[1] + bend[1], grip[2] + bend[2])
        parts.append(Part(grip, tip, 0.036, 0.018, TIMBER))
        if strike is not None:
            parts.append(Part(tip, (hand if draw > 0 else (tip[0], tip[1], grip[2])), 0.009, 0.009, STRING))
    if strike is not None and draw > 0:
        parts.append(Part(hand, pose.at(0.44, -0.06, 0.55), 0.016, 0.012, BONE))
    parts.append(Part(pose.at(0.02 + lean, -0.17, 0.51 + bob), grip, 0.062, 0.052, CLOTH_DARK))
    parts.append(Part(pose.at(0.02 + lean, 0.17, 0.51 + bob), hand, 0.062, 0.052, CLOTH_DARK))
    return parts


def brute(pose: Pose) -> list[Part]:
    """A giant with a spiked club, horns, a hide over one shoulder."""
    lean, bob, swing = pose.lean * 1.6, pose.bob, pose.swing
    parts = legs(pose)
    parts.append(Part(pose.at(0, 0, 0.26 + bob), pose.at(0.02 + lean, 0, 0.46 + bob), 0.24, 0.25, SKIN))
    parts.append(Part(pose.at(0, 0, 0.24 + bob), pose.at(0, 0, 0.30 + bob), 0.235, 0.235, CLOTH))
    parts.append(Part(pose.at(0.02 + lean, 0.08, 0.55 + bob), pose.at(lean, -0.08, 0.57 + bob), 0.23, 0.23, SKIN))
    parts.append(Part(pose.at(0.0 + lean, -0.20, 0.64 + bob), pose.at(-0.10 + lean, -0.10, 0.50 + bob), 0.14, 0.20, CLOTH_DARK))
    head = pose.at(0.14 + lean, 0, 0.74 + bob)
    parts.append(Part(head, pose.at(0.18 + lean, 0, 0.72 + bob), 0.135, 0.125, SKIN))
    parts.append(Part(pose.at(0.24 + lean, 0.0, 0.66 + bob), pose.at(0.25 + lean, 0.0, 0.65 + bob), 0.085, 0.08, SKIN_DARK))
    for sign in (1.0, -1.0):
        parts.append(
            Part(pose.at(0.12 + lean, 0.11 * sign, 0.81 + bob), pose.at(0.16 + lean, 0.24 * sign, 0.84 + bob), 0.055, 0.045, BONE)
        )
        parts.append(
            Part(pose.at(0.16 + lean, 0.24 * sign, 0.84 + bob), pose.at(0.27 + lean, 0.27 * sign, 0.96 + bob), 0.045, 0.014, BONE)
        )
        eye = pose.at(0.285 + lean, 0.055 * sign, 0.755 + bob)
        parts.append(Part(eye, (eye[0] + 0.001, eye[1], eye[2] + 0.004), 0.026, 0.026, EYE, flat=True))
    strike = pose.strike
    if strike is None:
        hand, tip = pose.at(0.10 + swing * 0.12, 0.34, 0.34 + bob), pose.at(0.16 + swing * 0.12, 0.44, 0.78 + bob)
    else:
        hand = pose.at(0.08 + 0.30 * strike, 0.26 - 0.12 * strike, 0.62 - 0.20 * strike)
        tip = pose.at(-0.10 + 0.66 * strike, 0.30 - 0.28 * strike, 1.05 - 0.62 * max(strike, 0.0))
    parts.append(Part(pose.at(0.02 + lean, 0.26, 0.58 + bob), hand, 0.115, 0.09, SKIN))
    parts.append(
        Part(pose.at(0.02 + lean, -0.28, 0.56 + bob), pose.at(0.14 - swing * 0.10, -0.33, 0.32 + bob), 0.115, 0.095, SKIN)
    )
    parts.append(Part(hand, tip, 0.04, 0.10, TIMBER))
    for share in (0.7, 0.95):
        spot = tuple(hand[i] + (tip[i] - hand[i]) * share for i in range(3))
        for sign in (1.0, -1.0):
            parts.append(Part(spot, (spot[0] + 0.10 * sign, spot[1], spot[2] + 0.05), 0.03, 0.01, METAL))  # type: ignore[arg-type]
    return parts


def catapult(pose: Pose) -> list[Part]:
    """Wheels, a frame, an arm with a stone in its bowl."""
    parts = []
    turn = pose.step * math.tau / 4
    for side in (0.34, -0.34):
        for end in (-0.32, 0.32):
            hub = pose.at(end, side, 0.16)
            rim = 10
            for index in range(rim):
                angles = [turn + (index + step) * math.tau / rim for step in (0, 1)]
                ends = [pose.at(end + 0.15 * math.cos(a), side, 0.16 + 0.15 * math.sin(a)) for a in angles]
                parts.append(Part(ends[0], ends[1], 0.036, 0.036, TIMBER_DARK))
            for index in range(4):
                angle = turn + index * math.tau / 4
                parts.append(
                    Part(hub, pose.at(end + 0.12 * math.cos(angle), side, 0.16 + 0.12 * math.sin(angle)), 0.022, 0.022, TIMBER)
                )
            parts.append(Part(hub, pose.at(end, side * 1.12, 0.16), 0.045, 0.04, METAL))
        parts.append(Part(pose.at(-0.48, side * 0.8, 0.24), pose.at(0.48, side * 0.8, 0.24), 0.06, 0.06, TIMBER))
        parts.append(Part(pose.at(-0.02, side * 0.8, 0.26), pose.at(0.10, side * 0.75, 0.68), 0.052, 0.05, TIMBER))
        parts.append(Part(pose.at(0.40, side * 0.8, 0.26), pose.at(0.12, side * 0.75, 0.66), 0.040, 0.040, TIMBER_DARK))
    for end in (-0.44, 0.44):
        parts.append(Part(pose.at(end, -0.27, 0.25), pose.at(end, 0.27, 0.25), 0.055, 0.055, TIMBER_DARK))
    parts.append(Part(pose.at(0.11, -0.28, 0.70), pose.at(0.11, 0.28, 0.70), 0.065, 0.065, TIMBER))
    for side in (-0.16, 0.16):
        parts.append(Part(pose.at(0.11, side - 0.05, 0.70), pose.at(0.11, side + 0.05, 0.70), 0.078, 0.078, CLOTH))
    parts.append(Part(pose.at(0.06, -0.2, 0.26), pose.at(0.06, 0.2, 0.26), 0.075, 0.075, BONE))
    strike = pose.strike
    angle = math.radians(200) if strike is None else math.radians(200 - 105 * (strike + 0.8) / 1.8)
    bowl = pose.at(0.02 + 0.62 * math.cos(angle), 0, 0.34 + 0.62 * math.sin(angle))
    parts.append(Part(pose.at(0.02, 0, 0.32), bowl, 0.055, 0.045, TIMBER))
    parts.append(Part(bowl, (bowl[0], bowl[1], bowl[2] + 0.02), 0.10, 0.10, TIMBER_DARK))
    if strike is None or strike < 0:
        parts.append(Part((bowl[0], bowl[1], bowl[2] + 0.08), (bowl[0], bowl[1], bowl[2] + 0.09), 0.09, 0.09, (0.30, 0.28, 0.26)))
    return parts


FIGURES: dict[str, tuple[Callable[[Pose], list[Part]], float]] = {
    # what is drawn, and how large in its cell
    "soldier": (soldier, 0.76),
    "pikeman": (pikeman, 0.58),
    "archer": (archer, 0.76),
    "brute": (brute, 0.74),
    "catapult": (catapult, 0.70),
}


def draw_sheet(make: Callable[[Pose], list[Part]], scale: float) -> Image.Image:
    """All headings and columns of a figure."""
    columns = STEPS + STRIKES
    sheet = np.zeros((CELL * HEADINGS, CELL * columns, 4))
    for row in range(HEADINGS):
        heading = row * math.tau / HEADINGS
        for column in range(columns):
            strike = None if column < STEPS else SWING[column - STEPS]
            cell = draw_cell(make(Pose(heading, column / STEPS, strike)), heading, scale)
            sheet[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = cell
    return Image.fromarray((np.clip(sheet, 0, 1) * 255 + 0.5).astype(np.uint8), "RGBA")


def main() -> None:
    """Draw the sheets beside this file."""
    for name, (make, scale) in FIGURES.items():
        draw_sheet(make, scale).save(Path(__file__).with_name(f"{name}.png"), optimize=True)


if __name__ == "__main__":
    main()
