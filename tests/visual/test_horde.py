"""The demo on a virtual display: what is on the picture, and that painted walls turn the horde."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.bridge.engine_project import GODOT as ENGINE
from tools import display

ROOT = Path(__file__).resolve().parents[2]
SCENE = "res://scenes/horde/horde.tscn"
UNITS = 4000
TICKS = 120
# Where panels stand on the picture of 1280 x 720: left, top, right, bottom.
PANELS = {
    "horde": (14, 12, 192, 104),
    "keep": (430, 12, 850, 90),
    "engine room": (1088, 12, 1266, 192),
    "walls": (14, 636, 192, 706),
    "minimap": (1086, 526, 1266, 706),
}
Pixels = npt.NDArray[np.int16]


@dataclass
class Run:
    """One run of the engine."""

    code: int
    output: str


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """The environment that leads to a virtual display."""
    if not ENGINE.exists():
        pytest.skip(f"no engine at {ENGINE}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    with display.virtual_display() as environment:
        yield environment


def run(environment: dict[str, str], before: list[str], after: list[str], headless: bool = False) -> Run:
    """Run the engine on the project with arguments before and after ``--``."""
    how = ["--headless", "--audio-driver", "Dummy"] if headless else display.ENGINE_ARGUMENTS
    command = [str(ENGINE), "--path", str(ROOT), *how, "--fixed-fps", "60", *before, "--", *after]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    return Run(done.returncode, done.stdout + done.stderr)


def pixels(path: Path) -> Pixels:
    """The picture as (height, width, 3), signed so that differences can be taken."""
    return np.asarray(Image.open(path).convert("RGB")).astype(np.int16)


def ember(picture: Pixels) -> npt.NDArray[np.bool_]:
    """Where the picture shows the horde's colours: nothing else on it is bright and so much redder than blue."""
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    return (red > 190) & (red - blue > 110) & (red - green > 25)


def part(picture: Pixels, box: tuple[int, int, int, int]) -> Pixels:
    """A rectangle of the picture."""
    left, top, right, bottom = box
    return picture[top:bottom, left:right]


@pytest.fixture(scope="module")
def overview(screen: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> tuple[Pixels, dict[str, Any], str]:
    """Picture of the whole map after some ticks, report, output."""
    folder = tmp_path_factory.mktemp("overview")
    picture, report = folder / "picture.png", folder / "report.json"
    arguments = ["--units", str(UNITS), "--ticks", str(TICKS), "--report", str(report), "--screenshot", str(picture)]
    ended = run(screen, [SCENE], arguments)
    assert ended.code == 0, ended.output
    return pixels(picture), json.loads(report.read_text()), ended.output


def test_a_run_ends_with_a_picture_and_a_report(overview: tuple[Pixels, dict[str, Any], str]) -> None:
    picture, report, output = overview
    assert picture.shape == (720, 1280, 3)
    assert "horde: screenshot" in output
    assert report["units"] == UNITS
    assert report["ticks"] == TICKS
    assert report["moved"]
    assert "ERROR" not in output, output


def test_the_horde_is_seen_in_its_twelve_camps(overview: tuple[Pixels, dict[str, Any], str]) -> None:
    picture, _, _ = overview
    land = part(picture, (262, 92, 1018, 674))
    seen = ember(land)
    assert seen.sum() > UNITS / 2  # a unit is a dot of some pixels; some stand close together, some under panels
    # All around the keep, not in one heap: seen in the left, middle and right third, above and below.
    thirds = np.array_split(seen, 3, axis=1)
    assert all(third.sum() > UNITS / 20 for third in thirds)
    assert all(half.sum() > UNITS / 20 for half in np.array_split(seen, 2, axis=0))


def test_the_keep_stands_in_the_middle(overview: tuple[Pixels, dict[str, Any], str]) -> None:
    picture, _, _ = overview
    middle = part(picture, (610, 325, 670, 395))
    roofs = (middle[..., 2] - middle[..., 0] > 40) & (middle[..., 2] > 90)
    stones = (middle.min(axis=2) > 120) & (np.ptp(middle, axis=2) < 60)
    assert roofs.sum() > 60
    assert stones.sum() > 150


@pytest.mark.parametrize("name", PANELS)
def test_panels_are_dark_with_bright_writing(overview: tuple[Pixels, dict[str, Any], str], name: str) -> None:
    picture, _, _ = overview
    panel = part(picture, PANELS[name]).max(axis=2)
    assert (panel < 70).mean() > 0.2
    assert (panel > 150).mean() > 0.01


def test_terrain_has_water_grass_and_roads(overview: tuple[Pixels, dict[str, Any], str]) -> None:
    picture, _, _ = overview
    land = part(picture, (262, 92, 1018, 674))
    red, green, blue = land[..., 0], land[..., 1], land[..., 2]
    assert ((blue > red + 25) & (blue > green)).mean() > 0.01  # water
    assert ((green > red) & (green > blue + 15)).mean() > 0.15  # grass and woods
    assert land.std() > 20


@pytest.fixture(scope="module")
def played(screen: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What came of a played game, and the folder of its pictures."""
    folder = tmp_path_factory.mktemp("played")
    environment = {**screen, "HORDE_PICTURES": str(folder)}
    ended = run(environment, ["--script", "res://tests/visual/drive_horde.gd"], ["--units", str(UNITS)])
    lines = [line for line in ended.output.splitlines() if line.startswith("HORDE ")]
    assert len(lines) == 1, ended.output
    return json.loads(lines[0][6:]), folder


def test_painting_closes_the_gate_and_removing_opens_it(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert seen["cost_before"] > 0
    assert seen["cost_walled"] == 0
    assert seen["cost_cleared"] > 0
    assert seen["stones_spent"]
    assert seen["hash_changed"]


def test_the_way_to_the_keep_gets_longer_and_short_again(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert 0 < seen["distance_before"] < seen["distance_walled"]
    assert seen["distance_walled"] > seen["distance_before"] + 50
    assert seen["distance_cleared"] < seen["distance_before"] + 20


def test_the_troop_turns_away_from_the_closed_gate(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    before, walled = seen["heading_before"], seen["heading_walled"]
    assert before[1] < -20  # pixels a second, north: towards the gate
    assert walled[1] > before[1] / 2  # no longer


def test_the_keep_is_spared(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert seen["keep_is_spared"]


def test_the_wheel_zooms_to_the_cursor(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert seen["zoomed"] == pytest.approx(1.18**4, rel=0.01)
    assert seen["cursor_drift"] < 2.0  # pixels


def test_painted_walls_are_seen(played: tuple[dict[str, Any], Path]) -> None:
    _, folder = played
    before, walled = pixels(folder / "before.png"), pixels(folder / "walled.png")
    gate = (600, 340, 680, 372)  # the gate stands in the middle of the picture
    stone = [((part(p, gate).min(axis=2) > 130) & (np.ptp(part(p, gate), axis=2) < 60)).mean() for p in (before, walled)]
    assert stone[1] > stone[0] + 0.3


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--units", "many"], "--units"),
        (["--units"], "--units"),
        (["--ticks", "0"], "--ticks"),
        (["--map", "/no/such.map"], "/no/such.map"),
        (["--goal", "3"], "--goal"),
        (["--goal", "0,0"], "--goal"),
        (["--speed", "3"], "--speed"),
        (["--screenshot", "picture.gif"], "--screenshot"),
    ],
)
def test_a_bad_argument_is_one_line_and_exit_code_two(screen: dict[str, str], arguments: list[str], named: str) -> None:
    ended = run(screen, [SCENE], arguments, headless=True)
    lines = [line for line in ended.output.splitlines() if line.startswith("horde:")]
    assert ended.code == 2
    assert len(lines) == 1
    assert named in lines[0]


def test_a_headless_run_says_that_it_has_no_picture(screen: dict[str, str], tmp_path: Path) -> None:
    picture, report = tmp_path / "picture.png", tmp_path / "report.json"
    arguments = ["--units", "100", "--ticks", "5", "--screenshot", str(picture), "--report", str(report)]
    ended = run(screen, [SCENE], arguments, headless=True)
    assert ended.code == 0, ended.output
    assert "no display" in ended.output
    assert not picture.exists()
    assert json.loads(report.read_text())["ticks"] == 5
