"""Columns that a game adds to a crowd's agents: health, a target, ammunition. The core keeps them and never reads them.

They lie by id, not by place in the agent table, so that neither its sort nor who is taken out moves anything.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.errors import WorldError

KINDS: dict[str, Any] = {"int": np.int32, "float": np.float32, "byte": np.uint8, "color": np.float32}
_SHAPES: dict[str, tuple[int, ...]] = {"color": (4,)}  # of one agent's value; the others are single numbers
_COLOR_TEXT = "colours (red, green, blue, alpha)"
_WHITE = (1.0, 1.0, 1.0, 1.0)

Values = npt.NDArray[Any]


@dataclass
class _Column:
    kind: str
    default: int | float | list[float]
    values: Values


class GameColumns:
    """The columns of one crowd, by name; a row an id.

    Notes
    -----
    Costs nothing per tick, and nothing at all where a game adds none. Columns are part of the state: of its hash and of
    snapshots.
    """

    def __init__(self) -> None:
        self.version = 0  # another number whenever the arrays may be others: those that are bound to them bind anew
        self._columns: dict[str, _Column] = {}

    def __bool__(self) -> bool:
        return bool(self._columns)

    @property
    def names(self) -> list[str]:
        """In the order in which they were added."""
        return list(self._columns)

    def add(self, name: str, kind: str, default: npt.ArrayLike | None, slot_count: int) -> None:
        """A column more, its default in every row. WorldError for a name that is taken, an unknown kind, a wrong default."""
        if not isinstance(name, str) or not name:
            raise WorldError(f"expected a name for the column, got {name!r}")
        if name in self._columns:
            raise WorldError(f"there is a column {name!r} already")
        if kind not in KINDS:
            raise WorldError(f"expected one of {', '.join(KINDS)} as the kind of column {name!r}, got {kind!r}")
        if default is None:
            default = _WHITE if kind == "color" else 0
        first, shape = _checked(name, kind, default), _SHAPES.get(kind, ())
        if first.shape != shape:
            one = "one colour" if kind == "color" else "one number"
            raise WorldError(f"expected {one} as the default of column {name!r}, got {first.shape}")
        self.version += 1
        self._columns[name] = _Column(kind, first.tolist(), np.full((slot_count, *shape), first, dtype=KINDS[kind]))

    def drop(self, name: str) -> None:
        """Take a column out. WorldError for an unknown name."""
        self._column(name)
        self.version += 1
        del self._columns[name]

    def clear(self) -> None:
        """Take all columns out."""
        self.version += 1
        self._columns.clear()

    def kind_of(self, name: str) -> str:
        """ "int", "float", "byte" or "color". WorldError for an unknown name."""
        return self._column(name).kind

    def default_of(self, name: str) -> int | float | list[float]:
        """What new agents have. WorldError for an unknown name."""
        return self._column(name).default

    def of_kind(self, name: str, kind: str) -> Values:
        """The array of a column, for a kernel that shows it. WorldError for an unknown name or another kind."""
        column = self._column(name)
        if column.kind != kind:
            raise WorldError(f"expected a column of kind {kind!r}, got {name!r}, which is of kind {column.kind!r}")
        return column.values

    def get(self, name: str, ids: npt.ArrayLike | None, slot_count: int) -> Values:
        """See ``Crowd.get_column``."""
        values = self._column(name).values
        return values if ids is None else np.asarray(values[_checked_ids(ids, slot_count)])

    def set(self, name: str, values: npt.ArrayLike, ids: npt.ArrayLike | None, slot_count: int) -> None:
        """See ``Crowd.set_column``."""
        column = self._column(name)
        rows = slice(None) if ids is None else _checked_ids(ids, slot_count)
        count = slot_count if isinstance(rows, slice) else len(rows)
        new = _checked(name, column.kind, values)
        shape = _SHAPES.get(column.kind, ())
        if new.shape != shape and new.shape != (count, *shape):
            raise WorldError(f"expected {count} values for column {name!r}, or one for all, got {new.shape}")
        column.values[rows] = new

    def begin(self, ids: npt.NDArray[np.int32], slot_count: int) -> None:
        """Rows for all ids that were ever given out, and the defaults for those that are given out now."""
        for column in self._columns.values():
            missing = slot_count - len(column.values)
            if missing > 0:
                more = np.full((missing, *column.values.shape[1:]), column.default, dtype=column.values.dtype)
                column.values = np.concatenate([column.values, more])
                self.version += 1
            column.values[ids] = column.default

    def hashed(self, ids: npt.NDArray[np.int64]) -> bytes:
        """What tells two states apart: the columns by name, the values of these ids in this order."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self._columns):
            column = self._columns[name]
            digest.update(f"{name}\0{column.kind}\0{column.default!r}\0{len(ids)}\0".encode())
            values = column.values[ids]
            digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
        return digest.digest()

    def state(self) -> tuple[list[list[Any]], list[Values]]:
        """For a snapshot: name, kind and default of each column, and its values."""
        plain = [[name, column.kind, _plain(column.default)] for name, column in self._columns.items()]
        return plain, [column.values for column in self._columns.values()]

    def load(self, meta: list[list[Any]], values: list[Values]) -> None:
        """Be as a snapshot tells."""
        self.clear()
        for (name, kind, default), array in zip(meta, values, strict=True):
            self.add(name, kind, _from_plain(default), 0)
            self._columns[name].values = np.array(array, dtype=KINDS[kind])

    def _column(self, name: str) -> _Column:
        if name not in self._columns:
            known = ", ".join(self._columns) or "none"
            raise WorldError(f"expected the name of a column that was added ({known}), got {name!r}")
        return self._columns[name]


def _plain(default: int | float | list[float]) -> Any:
    """As JSON holds it, infinity too."""
    if isinstance(default, list):
        return [repr(number) for number in default]
    return repr(default) if isinstance(default, float) else default


def _from_plain(default: Any) -> Any:
    if isinstance(default, list):
        return [float(number) for number in default]
    return float(default) if isinstance(default, str) else default


def _checked_ids(ids: npt.ArrayLike, slot_count: int) -> npt.NDArray[np.int64]:
    wanted = np.asarray(ids)
    if wanted.size and wanted.dtype.kind not in "iu":
        raise WorldError(f"expected ids (integers), got {wanted.dtype}")
    wanted = wanted.reshape(-1).astype(np.int64)
    bad = np.flatnonzero((wanted < 0) | (wanted >= slot_count))
    if len(bad):
        raise WorldError(f"expected ids from 0 to {slot_count - 1}, got {int(wanted[bad[0]])}")
    return wanted


def _checked(name: str, kind: str, values: npt.ArrayLike) -> Values:
    """Values as the column's type; WorldError where that would change them (but for the rounding of a float)."""
    expected = _COLOR_TEXT if kind == "color" else "numbers"
    try:
        given = np.asarray(values)
    except ValueError:
        raise WorldError(f"expected {expected} for column {name!r}, got {values!r}") from None
    if given.dtype.kind not in "iufb":
        raise WorldError(f"expected {expected} for column {name!r}, got {given.dtype}")
    if kind == "color" and (given.ndim == 0 or given.shape[-1] != 4):
        came = given.item() if given.ndim == 0 else given.shape
        raise WorldError(f"expected {expected} for column {name!r}, got {came!r}")
    if KINDS[kind] == np.float32:
        if np.isnan(given).any():
            raise WorldError(f"expected {expected} for column {name!r}, got nan")
        with np.errstate(over="ignore"):
            return np.asarray(given.astype(np.float32))
    limits = np.iinfo(KINDS[kind])
    whole = np.isfinite(given) & (given >= limits.min) & (given <= limits.max)
    bad = given[~(whole & (np.floor(given) == given))] if given.dtype.kind == "f" else given[~whole]
    if bad.size:
        raise WorldError(
            f"expected whole numbers from {limits.min} to {limits.max} for column {name!r}, got {bad.reshape(-1)[0].item()!r}"
        )
    return np.asarray(given.astype(KINDS[kind]))
