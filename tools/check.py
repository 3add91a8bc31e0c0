"""``dev.py test``: the linter, the type checker and the tests, with every skip told and its reason."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass

from tools import setup
from tools.progress import ROOT, say

GROUPS = ("house", "unit", "property", "determinism", "maps", "bridge", "godot", "visual", "export")
ENGINE_GROUPS = ("bridge", "godot", "visual", "export")
CODE = ["dev.py", "tools", "pynav", "addons", "scenes", "tests", "benchmarks"]
TYPED = ["dev.py", "tools", "pynav", "addons/pynav"]


@dataclass(frozen=True)
class Outcome:
    """One check: name, exit code, seconds."""

    name: str
    code: int
    seconds: float


def check(group: str | None) -> int:
    """Set up what is missing and run one group or all.

    Parameters
    ----------
    group
        One of ``GROUPS``, "lint", or None for all.

    Returns
    -------
    int
        0 if all passed. A skipped engine counts as a failure where PYNAV_REQUIRE_ENGINE is set (``.ci/run`` sets it).
    """
    wanted = [name for name in GROUPS if group in (None, name)]
    needs_engine = any(name in ENGINE_GROUPS for name in wanted)
    ready = setup.prepare("test", with_engine=needs_engine)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    skipped: list[str] = []
    if needs_engine and ready.engine is None:
        skipped = [name for name in wanted if name in ENGINE_GROUPS]
        wanted = [name for name in wanted if name not in ENGINE_GROUPS]
    elif ready.engine is not None:
        environment["PYNAV_ENGINE"] = str(ready.engine)
    outcomes = _lint(environment) if group in (None, "lint") else []
    folders = [f"tests/{name}" for name in wanted if (ROOT / "tests" / name).is_dir()]
    if folders:
        outcomes.append(_run("pytest", [str(setup.PYTHON), "-m", "pytest", "-ra", *folders], environment))
    for outcome in outcomes:
        say(f"{outcome.name}: {'passed' if outcome.code == 0 else 'FAILED'} in {outcome.seconds:.0f} s")
    if skipped:
        say(f"SKIPPED, NOT TESTED: {', '.join(skipped)}. Reason: {ready.engine_problem}")
    failed = any(outcome.code for outcome in outcomes) or (bool(skipped) and bool(os.environ.get("PYNAV_REQUIRE_ENGINE")))
    return 1 if failed else 0


def _lint(environment: dict[str, str]) -> list[Outcome]:
    present = [name for name in CODE if (ROOT / name).exists()]
    return [
        _run("ruff", [str(setup.PYTHON), "-m", "ruff", "check", *present], environment),
        _run("ruff format", [str(setup.PYTHON), "-m", "ruff", "format", "--check", *present], environment),
        _run("mypy", [str(setup.PYTHON), "-m", "mypy", *[name for name in TYPED if (ROOT / name).exists()]], environment),
    ]


def _run(name: str, command: list[str], environment: dict[str, str]) -> Outcome:
    say(f"{name} ...")
    began = time.monotonic()
    code = subprocess.call(command, cwd=ROOT, env=environment)
    return Outcome(name, code, time.monotonic() - began)
