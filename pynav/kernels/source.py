"""What the source of a kernel tells: which arguments it writes, which files it depends on."""

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

inline_functions: dict[Callable[..., Any], None] = {}
"""All functions marked ``@inline``, in order of declaration."""

_facts: dict[Callable[..., Any], tuple[ast.FunctionDef, list[str]]] = {}


def _definition(function: Callable[..., Any]) -> tuple[ast.FunctionDef, list[str]]:
    if function not in _facts:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        _facts[function] = (tree, [argument.arg for argument in tree.args.args])
    return _facts[function]


def called_inlines(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Inline functions that a function calls by global name, directly or through others, each once."""
    found: list[Callable[..., Any]] = []
    waiting = [function]
    while waiting:
        current = waiting.pop()
        for name in current.__code__.co_names:
            value = current.__globals__.get(name)
            if inspect.isfunction(value) and value in inline_functions and value not in found:
                found.append(value)
                waiting.append(value)
    return found


def written_parameters(function: Callable[..., Any]) -> frozenset[str]:
    """Names of the parameters whose elements a function stores to, itself or through inline functions."""
    tree, parameters = _definition(function)
    written: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            written.add(node.value.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            callee = function.__globals__.get(node.func.id)
            if inspect.isfunction(callee) and callee in inline_functions:
                names = _definition(callee)[1]
                through = written_parameters(callee)
                written.update(
                    given.id
                    for name, given in zip(names, node.args, strict=False)
                    if name in through and isinstance(given, ast.Name)
                )
    return frozenset(written & set(parameters))


def source_files(function: Callable[..., Any]) -> list[Path]:
    """Files that a kernel depends on: its own, those of its inline functions, and those of the constants' modules of both."""
    modules: dict[Path, None] = {}
    for member in [function, *called_inlines(function)]:
        own = Path(member.__code__.co_filename)
        modules[own] = None
        for imported in _imported_files(own):
            modules[imported] = None
    return list(modules)


def _imported_files(path: Path) -> list[Path]:
    """Files of the project that a file imports names from: a changed constant changes a kernel too."""
    root = Path(__file__).resolve().parents[2]
    files: list[Path] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "pynav" and node.level == 0:
            candidate = root.joinpath(*node.module.split(".")).with_suffix(".py")
            if candidate.is_file() and "kernels" not in node.module.split(".")[1:2]:
                files.append(candidate)
    return files


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
