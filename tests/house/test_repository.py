"""What must not be in the repository, and what its papers promise."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.house.sources import ROOT, sources

LONGEST_FILE_LINES = 800
LONGEST_FUNCTION_LINES = 90
# One straight pass each, whose parts share a dozen locals; cut up they would pass them all around.
LONG_KERNELS = {"make_wishes", "flood_slice"}


def committed_files() -> list[Path]:
    """Files under version control; all files of a tree without it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no git checkout: what is committed cannot be listed")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_nothing_that_set_up_makes_is_committed() -> None:
    made = [
        str(path.relative_to(ROOT))
        for path in committed_files()
        if path.suffix in (".so", ".o", ".pyc", ".dll", ".map", ".scen") or "bin" in path.relative_to(ROOT).parts
    ]
    assert made == []


def test_files_stay_small() -> None:
    large = [str(path.relative_to(ROOT)) for path in committed_files() if path.stat().st_size > 1_000_000]
    assert large == []


def test_no_path_of_a_machine() -> None:
    private = re.compile(r"(?<![\w.])/(home|root|work|Users)/\w")
    found = []
    for path in committed_files():
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if private.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number} {line.strip()[:80]}")
    assert found == []


def test_files_and_functions_stay_readable() -> None:
    import ast

    long = []
    for source in sources("pynav", "addons", "tools"):
        lines = len(source.path.read_text(encoding="utf-8").splitlines())
        if lines > LONGEST_FILE_LINES:
            long.append(f"{source.place}: {lines} lines")
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef) and node.name not in LONG_KERNELS:
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > LONGEST_FUNCTION_LINES:
                    long.append(f"{source.place}:{node.lineno} {node.name}: {size} lines")
    assert long == []


def test_paths_named_in_the_papers_exist() -> None:
    """A newcomer who follows a path of README.md or ARCHITECTURE.md finds a file there."""
    missing = []
    for paper in ("README.md", "ARCHITECTURE.md", "addons/pynav/bridge/README.md"):
        text = (ROOT / paper).read_text(encoding="utf-8")
        for name in re.findall(r"`((?:pynav|addons|scenes|tests|tools|benchmarks|docs)/[\w./-]*)`", text):
            if not (ROOT / name).exists() and not name.startswith(("addons/pynav/bin", "pynav/kernels/built")):
                missing.append(f"{paper}: {name}")
        for name in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
            if not (ROOT / paper).parent.joinpath(name).exists():
                missing.append(f"{paper}: {name}")
    assert missing == []
