"""The project's Python files, parsed: what the house tests look at."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """One file: path from the root, module name, tree."""

    path: Path
    module: str
    tree: ast.Module

    @property
    def place(self) -> str:
        """Path from the root, for messages."""
        return str(self.path.relative_to(ROOT))


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """All Python files below some folders, in order; what set-up builds is left out."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            if "built" in parts or "bin" in parts or any(part.startswith(".") for part in parts):
                continue
            names = [*parts[:-1], path.stem] if path.stem != "__init__" else list(parts[:-1])
            found.append(Source(path, ".".join(names), ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(found)


def imported_modules(source: Source) -> list[tuple[int, str]]:
    """(line, module) of every import of a file, relative ones written out; inside functions too."""
    package = source.module.split(".")
    if source.path.stem != "__init__":
        package = package[:-1]
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found.append((node.lineno, stem))
            found += [(node.lineno, f"{stem}.{alias.name}") for alias in node.names]
    return found
