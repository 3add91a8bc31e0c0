"""Numbers of destinations against a look through all groups."""

import random

from pynav.crowd.destinations import Destinations


class Plain:
    """The same by looking through all groups each time."""

    def __init__(self) -> None:
        self.key: dict[int, bytes] = {}
        self.number: dict[int, int] = {}
        self.last = 0

    def note(self, group: int, key: bytes) -> int:
        self.key.pop(group, None)
        others = [other for other, own in self.key.items() if own == key]
        if not others:
            self.last += 1
        self.key[group], self.number[group] = key, self.number[others[0]] if others else self.last
        return self.number[group]

    def share(self, group: int, other: int) -> None:
        self.key.pop(group, None)
        if other in self.key:
            self.key[group], self.number[group] = self.key[other], self.number[other]


def test_as_a_look_through_all_groups_after_a_restore_too() -> None:
    choose = random.Random(4)
    quick, plain = Destinations(), Plain()
    for turn in range(2000):
        group, other = choose.sample(range(12), 2)
        what = choose.randrange(5)
        if what < 3:
            key = bytes([choose.randrange(6)])
            assert quick.note(group, key) == plain.note(group, key)
        elif what == 3:
            quick.forget(group)
            plain.key.pop(group, None)
        else:
            quick.share(group, other)
            plain.share(group, other)
        if turn % 100 == 99:
            asked, last = quick.state(12)
            assert asked == [plain.key[g].hex() if g in plain.key else None for g in range(12)] and last == plain.last
            quick = Destinations()
            quick.load(asked, [plain.number.get(g, 0) for g in range(12)], last)
