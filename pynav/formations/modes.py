"""How units go to a formation's place."""

from typing import Final

RUN: Final = "run"  # each runs there and forms up there
MARCH: Final = "march"  # all form up and keep their places on the way
RETREAT: Final = "retreat"  # the same, the last row first, looking back
MODES: Final = (RUN, MARCH, RETREAT)
