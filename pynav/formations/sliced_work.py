"""Work in counted slices: how much of it is done a tick follows from the work, never from a clock."""

from collections.abc import Generator


class SlicedWork:
    """What plans and surveys share.

    Args:
        slices: does the work, yielding about how many microseconds each slice took.

    Attributes:
        slices_done: so far; the last one finds that nothing is left.
        is_done: whether all is done.
    """

    def __init__(self, slices: Generator[int]) -> None:
        self._slices = slices
        self.slices_done = 0
        self.is_done = False

    def advance(self, work: int) -> bool:
        """Do slices until so many microseconds of work are done, at least one; whether all is done."""
        while not self.is_done and work > 0:
            work -= self._slice()
        return self.is_done

    def repeat(self, slices: int) -> None:
        """Do as many slices as another one of the same order, or of the same units, has done."""
        while self.slices_done < slices:
            self._slice()

    def _slice(self) -> int:
        work = next(self._slices, None)
        self.slices_done += 1
        self.is_done = work is None
        return work or 0
