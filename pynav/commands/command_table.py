"""The command database: commands by stable handles. A row is used again once no unit follows its command any more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pynav.commands.command import Command, CommandKind
from pynav.commands.errors import CommandError

_ROW_BITS = 32


class CommandTable:
    """Commands by row; a handle is generation << 32 | row, generations count from 1."""

    def __init__(self) -> None:
        self._rows: list[Command | None] = []
        self._generation: list[int] = []
        self._is_finished: list[bool] = []

    def add(self, command: Command) -> int:
        """The row of a new command: the lowest free one."""
        row = self._rows.index(None) if None in self._rows else len(self._rows)
        if row == len(self._rows):
            self._rows.append(None)
            self._generation.append(0)
            self._is_finished.append(False)
        self._rows[row] = command
        self._generation[row] += 1
        self._is_finished[row] = False
        return row

    def free(self, row: int) -> None:
        """Forget a command that nobody follows."""
        self._rows[row] = None

    def at(self, row: int) -> Command:
        """The command of a row in use."""
        command = self._rows[row]
        assert command is not None
        return command

    def handle(self, row: int) -> int:
        """The handle of a row's command."""
        return self._generation[row] << _ROW_BITS | row

    def is_alive(self, handle: int) -> bool:
        """Whether the handle's command is still followed by somebody."""
        row, generation = handle & ((1 << _ROW_BITS) - 1), handle >> _ROW_BITS
        return row < len(self._rows) and self._rows[row] is not None and self._generation[row] == generation

    def row_of(self, handle: int) -> int:
        """The row of a living handle; CommandError for any other."""
        if not self.is_alive(handle):
            raise CommandError(
                f"expected a command that units follow, got {handle}: nobody follows it any more, or nobody ever did"
            )
        return handle & ((1 << _ROW_BITS) - 1)

    def rows(self) -> list[int]:
        """The rows in use, in rising order."""
        return [row for row, command in enumerate(self._rows) if command is not None]

    def is_finished(self, row: int) -> bool:
        """Whether it was told that nobody is under way any more."""
        return self._is_finished[row]

    def set_finished(self, row: int) -> None:
        """Note that it was told."""
        self._is_finished[row] = True

    # --- state

    def state(self) -> list[Any]:
        """What a snapshot needs, plain."""
        commands = [None if command is None else asdict(command) for command in self._rows]
        return [commands, list(self._generation), list(self._is_finished)]

    def load(self, state: list[Any]) -> None:
        """Take up a state."""
        commands, generations, finished = state
        self._rows = [None if entry is None else command_of(entry) for entry in commands]
        self._generation, self._is_finished = list(generations), list(finished)


def command_of(entry: dict[str, Any]) -> Command:
    """A command from its plain form."""
    places = {
        name: None if entry[name] is None else (float(entry[name][0]), float(entry[name][1])) for name in ("place", "start")
    }
    return Command(**{**entry, **places, "kind": CommandKind(entry["kind"])})
