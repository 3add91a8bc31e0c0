"""What goes wrong with formations; each message names what was expected and what came."""


class FormationError(ValueError):
    """A drag, army, ground or unit that formations cannot take."""
