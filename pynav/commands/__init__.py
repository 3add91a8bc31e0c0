"""Orders to any units: move, hold, stop, patrol, follow; queues; recording and replay.

A command is plain data: what, when, whither. Units are named only where it is given; from then on each follows a group
(pynav/crowd/group_table.py), and a group knows its command. ``World.commands`` is the way in.
"""

from pynav.commands.command import Command, CommandKind
from pynav.commands.commands import Commands
from pynav.commands.errors import CommandError
from pynav.commands.recording import CommandRecording
from pynav.crowd.unit_handles import NO_UNIT

__all__ = ["NO_UNIT", "Command", "CommandError", "CommandKind", "CommandRecording", "Commands"]
