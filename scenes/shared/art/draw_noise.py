"""Draws ``noise.png``, the tiling noise that the land's shaders are made of: 256 x 256, four kinds in four channels.

Red: clouds (broad, soft). Green: distance to the nearest of scattered points (tree tops, boulders, tufts). Blue: grain.
Alpha: ridges.
Every channel is spread over 0..255 with its mean near the middle. Red, blue and alpha are random phases under a falling
spectrum, so they
tile by construction; green measures distances on the torus.

Run: ``python scenes/shared/art/draw_noise.py`` (needs numpy and Pillow); the result is committed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

SIZE = 256
Floats = npt.NDArray[np.float64]


def spread(values: Floats, deviations: float = 2.6) -> Floats:
    """Mean to 0.5, so many standard deviations to 0 and 1."""
    return np.clip(0.5 + (values - values.mean()) / (values.std() * 2 * deviations), 0, 1)


def spectral(generator: np.random.Generator, falloff: float, low: float, high: float) -> Floats:
    """Noise whose amplitude falls with frequency between two limits (periods a tile)."""
    frequency = np.hypot(np.fft.fftfreq(SIZE)[:, None], np.fft.fftfreq(SIZE)[None, :]) * SIZE
    amplitude = np.where((frequency >= low) & (frequency <= high), np.maximum(frequency, 1) ** -falloff, 0)
    spectrum = np.fft.fft2(generator.standard_normal((SIZE, SIZE))) * amplitude
    return np.real(np.fft.ifft2(spectrum))


def cells(generator: np.random.Generator, side: int) -> Floats:
    """Distance to the nearest of side x side jittered points on the torus, 1 where it is a whole spacing."""
    spacing = SIZE / side
    jitter = generator.random((side, side, 2)) * 0.8 + 0.1
    rows, columns = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    nearest = np.full((SIZE, SIZE), np.inf)
    for row in range(side):
        for column in range(side):
            away_y = np.abs(rows - (row + jitter[row, column, 0]) * spacing)
            away_x = np.abs(columns - (column + jitter[row, column, 1]) * spacing)
            away = np.hypot(np.minimum(away_x, SIZE - away_x), np.minimum(away_y, SIZE - away_y))
            np.minimum(nearest, away, out=nearest)
    return np.clip(nearest / spacing, 0, 1)


def main() -> None:
    """Draw the picture beside this file."""
    generator = np.random.default_rng(2)
    clouds = spread(spectral(generator, 1.9, 1, 40))
    grain = spread(spectral(generator, 1.0, 6, 128))
    folds = spectral(generator, 1.7, 2, 64)
    ridges = spread(-np.abs(folds / folds.std()), 2.0)
    picture = np.dstack([clouds, cells(generator, 11), grain, ridges])
    Image.fromarray((picture * 255 + 0.5).astype(np.uint8), "RGBA").save(Path(__file__).with_name("noise.png"), optimize=True)


if __name__ == "__main__":
    main()
