"""Small random maps for the tests of sectors."""

import numpy as np
import numpy.typing as npt


def random_map(random: np.random.Generator, low: int = 1, high: int = 70) -> npt.NDArray[np.uint8]:
    """Costs 0..3, from open to maze-like, of any size from a strip to several blocks."""
    height, width = (int(side) for side in random.integers(low, high, 2))
    walls = random.choice([0.0, 0.1, 0.3, 0.4])
    cost = (random.random((height, width)) > walls).astype(np.uint8) * random.integers(1, 4, (height, width)).astype(np.uint8)
    if not cost.any():
        cost[0, 0] = 1
    return cost


def random_goals(random: np.random.Generator, cost: npt.NDArray[np.uint8], most: int = 3) -> list[tuple[int, int]]:
    """One to ``most`` free tiles (x, y)."""
    free = np.argwhere(cost)[:, ::-1]
    picked = random.integers(0, len(free), int(random.integers(1, most + 1)))
    return [(int(x), int(y)) for x, y in free[picked]]
