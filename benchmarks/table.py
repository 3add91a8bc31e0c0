"""A row of the benchmarks' table."""

from typing import Any

Row = dict[str, Any]
KEYS = ("name", "value", "unit", "peer", "peer_value", "ratio", "answer_ok")


def row(name: str, value: float | None, unit: str, peer: str | None, peer_value: float | None, answer_ok: bool) -> Row:
    """One row; ``ratio`` is the peer's figure by ours: above 1, we take less."""
    ratio = None if peer_value is None or not value else round(peer_value / value, 3)
    return {
        "name": name,
        "value": None if value is None else round(value, 4),
        "unit": unit,
        "peer": peer,
        "peer_value": None if peer_value is None else round(peer_value, 4),
        "ratio": ratio,
        "answer_ok": answer_ok,
    }
