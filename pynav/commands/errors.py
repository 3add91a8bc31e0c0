"""What goes wrong with commands; each message names what was expected and what came."""

from pynav.crowd.errors import WorldError


class CommandError(WorldError):
    """A command that can't be carried out as given: nothing has changed."""
