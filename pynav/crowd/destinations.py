"""Numbers of destinations: groups that were asked to the same place go to one, and arrival spreads among all who do."""

LAST_DESTINATION = 2**31 - 1


class Destinations:
    """What each group was asked for, and its number.

    Deterministic: numbers rise with each new place, and begin again after LAST_DESTINATION.
    """

    def __init__(self) -> None:
        self._key_of: dict[int, bytes] = {}  # by group
        self._number_of: dict[bytes, tuple[int, int]] = {}  # by what was asked for: its number, groups that go there
        self._last = 0

    def note(self, group: int, key: bytes) -> int:
        """A group was asked to a place; the place's number, 1 to LAST_DESTINATION."""
        self.forget(group)
        number, count = self._number_of.get(key, (0, 0))
        if count == 0:
            self._last = self._last % LAST_DESTINATION + 1
            number = self._last
        self._key_of[group] = key
        self._number_of[key] = (number, count + 1)
        return number

    def forget(self, group: int) -> None:
        """A group goes nowhere, or somewhere else."""
        key = self._key_of.pop(group, None)
        if key is not None:
            number, count = self._number_of.pop(key)
            if count > 1:
                self._number_of[key] = (number, count - 1)

    def share(self, group: int, other: int) -> None:
        """A group goes where another one does."""
        self.forget(group)
        key = self._key_of.get(other)
        if key is not None:
            number, count = self._number_of[key]
            self._key_of[group] = key
            self._number_of[key] = (number, count + 1)

    def state(self, group_count: int) -> tuple[list[str | None], int]:
        """What a snapshot needs: what each group was asked for, and the last number that was given."""
        keys = [self._key_of.get(group) for group in range(group_count)]
        return [None if key is None else key.hex() for key in keys], self._last

    def load(self, asked: list[str | None], numbers: list[int], last: int) -> None:
        """Take up a state; ``numbers`` are those of the groups' destinations."""
        self._key_of.clear()
        self._number_of.clear()
        self._last = last
        for group, (text, number) in enumerate(zip(asked, numbers, strict=False)):
            if text is not None:
                key = bytes.fromhex(text)
                self._key_of[group] = key
                self._number_of[key] = (number, self._number_of.get(key, (0, 0))[1] + 1)
