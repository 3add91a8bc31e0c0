"""Bodies that the game moves by itself, among the agents: crowds see them, queue behind them, and are pushed aside by them.

They are agents of a crowd of their own, which no question about units finds. Before each tick the game says where they are; in
the tick they stand like rocks that move; after it they may ask how fast they can go where they want to go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pynav.crowd import _body_kernels as kernels
from pynav.crowd.crowd import Crowd
from pynav.crowd.crowd_profile import LARGEST_RADIUS, SMALLEST_RADIUS
from pynav.crowd.errors import PlacementError

if TYPE_CHECKING:
    from pynav.world import World

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int32]


class Bodies:
    """The bodies of a world.

    Args:
        world: theirs.
        crowd: the crowd that they are agents of; None: it is made with the first body.

    Notes:
        Deterministic: what they do to agents follows from what ``drive`` said, in any order of bodies.
    """

    def __init__(self, world: World, crowd: Crowd | None = None) -> None:
        self._world = world
        self.crowd = crowd
        self._driven: Floats | None = None

    def add(self, positions: npt.ArrayLike, radii: npt.ArrayLike) -> Ids:
        """Take bodies in.

        Args:
            positions: (n, 2), tiles, inside the map; they may be in solid tiles.
            radii: (n,), tiles; held to 0.05..4.

        Returns:
            int32 (n,), their ids.

        Raises:
            PlacementError: positions off the map or not finite.
        """
        places = np.asarray(positions, dtype=np.float32).reshape(-1, 2)
        sizes = _held(np.asarray(radii, dtype=np.float32).reshape(-1))
        if self.crowd is None:
            self.crowd = self._world.add_crowd(0, 0.0, SMALLEST_RADIUS, size=1, speed_variation=0.0)
            self.crowd.layers = 0
        ids = self.crowd.spawn(places, snap=True)
        self._drive(ids, places, np.zeros_like(places), sizes)
        return ids

    def remove(self, ids: npt.ArrayLike) -> None:
        """Let bodies go; ids of those that are gone are passed over."""
        if self.crowd is not None:
            self.crowd.remove(ids)

    def are_there(self, ids: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether each id is that of a body, bool (n,)."""
        wanted = np.asarray(ids, dtype=np.int64).reshape(-1)
        alive = np.zeros(1, dtype=np.bool_) if self.crowd is None else np.append(self.crowd.alive, False)
        return np.asarray(alive[np.where((wanted >= 0) & (wanted < len(alive)), wanted, -1)], dtype=np.bool_)

    def drive(self, ids: Ids, positions: npt.ArrayLike, velocities: npt.ArrayLike, radii: npt.ArrayLike) -> None:
        """Say where all bodies are before a tick.

        Args:
            ids: int32 (n,), every body that is there.
            positions: (n, 2), tiles; those off the map count as on its edge.
            velocities: (n, 2), tiles a second.
            radii: (n,), tiles; held to 0.05..4.

        Raises:
            PlacementError: other ids than those that are there, arrays of other lengths, or numbers that are not finite.
        """
        count = len(ids)
        places, along = (np.asarray(given, dtype=np.float32).reshape(-1, 2) for given in (positions, velocities))
        sizes = np.asarray(radii, dtype=np.float32).reshape(-1)
        own = 0 if self.crowd is None else self.crowd.count
        if not count == len(places) == len(along) == len(sizes) == own:
            raise PlacementError(
                f"drive: expected ids, positions, velocities and radii of the {own} bodies that are there, got {count}, "
                f"{len(places)}, {len(along)}, {len(sizes)}"
            )
        if not self.are_there(ids).all() or len(np.unique(ids)) != count:
            raise PlacementError("drive: expected the ids of all bodies that are there, each once")
        if not (np.isfinite(places).all() and np.isfinite(along).all() and np.isfinite(sizes).all()):
            raise PlacementError("drive: expected finite positions, velocities and radii")
        if count:
            self._drive(ids, places, along, _held(sizes))

    def _drive(self, ids: Ids, places: Floats, along: Floats, sizes: Floats) -> None:
        crowd = self.crowd
        assert crowd is not None and self._world.grid is not None
        largest = float(sizes.max())
        if largest > crowd.radius:  # the neighbour grid's cells grow with it
            crowd.radius = largest
        grid = self._world.grid
        body: Floats = np.zeros((crowd.slot_count, kernels.BODY_COLUMNS), dtype=np.float32)
        body[:, kernels.OWN_RADIUS] = SMALLEST_RADIUS
        body[ids, kernels.X] = np.clip(places[:, 0], 0.0, np.nextafter(np.float32(grid.width), np.float32(0)))
        body[ids, kernels.Y] = np.clip(places[:, 1], 0.0, np.nextafter(np.float32(grid.height), np.float32(0)))
        body[ids, kernels.ALONG_X], body[ids, kernels.ALONG_Y] = along.T
        body[ids, kernels.OWN_RADIUS] = sizes
        self._driven = body
        self._world.drive_bodies(crowd.index, body)

    def safe_velocities(self, ids: Ids, wanted: npt.ArrayLike, top_speeds: npt.ArrayLike, dt: float) -> Floats:
        """How fast bodies may go after a tick: near to what they want, past those that they would meet.

        Behind others they are slowed down, to a third at most: so they push those aside that may be pushed. Into who holds its
        ground, another body for one, they don't go.

        Args:
            ids: int32 (n,), bodies that are there.
            wanted: (n, 2), velocities, tiles a second.
            top_speeds: (n,), tiles a second.
            dt: seconds of a tick, more than 0.

        Returns:
            float32 (n, 2), tiles a second.

        Raises:
            PlacementError: an id of no body.

        Notes:
            Method and constants are those by which agents steer (_steering_kernels.py). Walls don't count.
        """
        if not self.are_there(ids).all():
            raise PlacementError("safe_velocities: expected ids of bodies that are there")
        if not len(ids):
            return np.zeros((0, 2), dtype=np.float32)
        assert self.crowd is not None
        want: Floats = np.zeros((self.crowd.slot_count, kernels.WANT_COLUMNS), dtype=np.float32)
        want[ids, :2] = np.asarray(wanted, dtype=np.float32).reshape(-1, 2)
        want[ids, kernels.TOP_SPEED] = np.asarray(top_speeds, dtype=np.float32).reshape(-1)
        if self._driven is not None and len(self._driven) == self.crowd.slot_count:
            self._world.drive_bodies(self.crowd.index, self._driven)  # those who stand lose their velocity in a tick
        return np.asarray(self._world.safe_velocities(self.crowd.index, want, dt)[ids], dtype=np.float32)


def _held(radii: Floats) -> Floats:
    return np.clip(radii, np.float32(SMALLEST_RADIUS), np.float32(LARGEST_RADIUS))
