"""Renews the golden hashes, after a change that was meant to change results: ``python -m tests.determinism.renew``."""

from __future__ import annotations

import json

from tests.determinism.golden import GOLDEN, kept, played


def main() -> None:
    """Write the file anew; say what is different."""
    before = kept() if GOLDEN.is_file() else {}
    now = played()
    GOLDEN.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            print(f"{name}: {before.get(name, 'nothing')} is now {now.get(name, 'gone')}")
    if before == now:
        print("nothing has changed")


if __name__ == "__main__":
    main()
