"""Recording what units are told, and telling it again: bit for bit the same game from the same start.

A recording holds each command with its tick and the handles of its units. What else a game does (spawning, edits of the map,
goals of crowds) is the game's to repeat; where that follows from ticks and from the world alone, a recording and the first
snapshot hold a whole game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from pynav.commands.command import Command
from pynav.commands.command_table import command_of
from pynav.commands.errors import CommandError
from pynav.crowd.errors import SnapshotError
from pynav.crowd.unit_handles import Handles
from pynav.snapshot import pack, unpack

if TYPE_CHECKING:
    from pynav.world import World

VERSION = 1
_WHAT = "commands"


@dataclass(frozen=True, eq=False)
class GivenOrder:
    """What was told to whom.

    Attributes:
        tick: when.
        units: handles, int64 (n,).
        command: what; None: they were released.
    """

    tick: int
    units: Handles
    command: Command | None


class CommandRecording:
    """Orders in the order in which they were given.

    Example:
        >>> from pynav.grid import TileGrid
        >>> from pynav.world import World
        >>> def start():
        ...     world = World(seed=4)
        ...     world.set_grid(TileGrid(np.ones((20, 20), dtype=np.uint8)))
        ...     world.add_crowd(4, 3.0, 0.3)
        ...     return world
        >>> played = start()
        >>> recording = played.commands.start_recording()
        >>> for tick in range(10):
        ...     _ = played.commands.move(played.crowds[0], (3.5, 4.5)) if tick == 5 else None
        ...     played.step(1 / 60)
        >>> again, replay = start(), CommandRecording.from_bytes(recording.to_bytes())
        >>> for _ in range(10):
        ...     replay.give_due(again)
        ...     again.step(1 / 60)
        >>> again.state_hash() == played.state_hash()
        True
    """

    def __init__(self) -> None:
        self.orders: list[GivenOrder] = []

    def __len__(self) -> int:
        return len(self.orders)

    def note(self, order: GivenOrder) -> None:
        """One order more; ticks never go back."""
        self.orders.append(order)

    def give_due(self, world: World) -> int:
        """Give the orders of the tick that comes next; how many there were. Call it before each ``World.step``.

        Raises CommandError where they can't be given: the game is another one than was recorded. Those before stay given.
        """
        due = [order for order in self.orders if order.tick == world.tick]
        for order in due:
            world.commands.give_again(order)
        return len(due)

    def to_bytes(self) -> bytes:
        """The recording, with a version and a checksum. Equal recordings give equal bytes."""
        plain = [
            [order.tick, None if order.command is None else asdict(order.command), len(order.units)] for order in self.orders
        ]
        units = np.concatenate([np.zeros(0, dtype=np.int64), *(order.units for order in self.orders)])
        return pack({"what": _WHAT, "version": VERSION, "orders": plain}, {"units": units})

    @classmethod
    def from_bytes(cls, data: bytes) -> CommandRecording:
        """The recording that bytes hold. CommandError, in words, for any others."""
        try:
            meta, arrays = unpack(data)
        except SnapshotError as error:
            raise CommandError(f"expected a recording of commands: {error}") from None
        if meta.get("what") != _WHAT:
            raise CommandError("expected a recording of commands, got a snapshot of something else")
        if meta["version"] != VERSION:
            raise CommandError(f"a recording of version {meta['version']}, this program reads version {VERSION}")
        found = cls()
        try:
            at = 0
            for tick, entry, count in meta["orders"]:
                units = arrays["units"][at : at + count]
                found.note(GivenOrder(int(tick), units, None if entry is None else command_of(entry)))
                at += count
        except (KeyError, TypeError, ValueError) as error:
            raise CommandError(f"a recording whose contents are none: {error!r}") from None
        return found
