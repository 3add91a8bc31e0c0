"""How often a cache had what was asked for."""

from dataclasses import dataclass


@dataclass
class CacheCounts:
    """Counts since the cache was made; nothing depends on them.

    Attributes:
        hits: what was asked for was there.
        misses: it had to be made.
    """

    hits: int = 0
    misses: int = 0

    def note(self, was_there: bool) -> None:
        """Count one question."""
        if was_there:
            self.hits += 1
        else:
            self.misses += 1

    @property
    def hit_percent(self) -> float:
        """Share of the questions whose answer was there, 0..100; 0 without a question."""
        return 100.0 * self.hits / max(self.hits + self.misses, 1)

    def __add__(self, other: "CacheCounts") -> "CacheCounts":
        return CacheCounts(self.hits + other.hits, self.misses + other.misses)
