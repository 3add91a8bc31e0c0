"""Errors of crowds and worlds. Each message names what was expected and what came."""


class WorldError(ValueError):
    """A call that the world cannot carry out as asked."""


class PlacementError(WorldError):
    """Positions that are not finite, lie outside the map or in solid tiles."""


class GoalError(WorldError):
    """Goals of a wrong shape or type, or outside the map."""


class BufferSizeError(WorldError):
    """A drawing buffer of a wrong size, type or layout."""


class SnapshotError(WorldError):
    """Bytes that are not a whole snapshot of this version."""
