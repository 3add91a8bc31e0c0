"""What goes wrong with homing grids; each message names what was expected and what came."""


class HomingError(ValueError):
    """A box, source, well, projectile or setting that the homing grid cannot take."""
