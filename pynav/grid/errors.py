"""What goes wrong with grids and their files."""


class GridError(ValueError):
    """A bad cost, tile, rectangle or goal; the message names what was expected and what came."""


class MapFormatError(ValueError):
    """A map or scenario file that is not what it should be; the message names the file, the line and the fault."""
