"""The rules of kernels, read from their sources (see pynav/kernels/__init__.py)."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pynav.kernels import BlockKernel, registered_kernels
from pynav.kernels.build import import_kernel_modules
from pynav.kernels.source import called_inlines

import_kernel_modules()
KERNELS = {name: found for name, found in registered_kernels().items() if name.startswith("pynav.")}

ALLOWED_CALLS = {"abs", "max", "min", "range"}
ALLOWED_NUMPY = {
    "abs", "bool_", "ceil", "float32", "float64", "floor", "int8", "int16", "int32", "int64", "sqrt", "uint8", "uint16", "uint32",
    "uint64",
}  # fmt: skip
FORBIDDEN = (ast.Try, ast.Raise, ast.Assert, ast.With, ast.Yield, ast.Await, ast.ListComp, ast.DictComp, ast.SetComp,
             ast.GeneratorExp, ast.List, ast.Dict, ast.Set, ast.Lambda, ast.JoinedStr, ast.Global, ast.Nonlocal)  # fmt: skip


def offences(function: Callable[..., Any], is_block: bool = False) -> list[str]:
    """What a kernel's body does that no kernel may."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    inlines = {inline.__name__ for inline in called_inlines(function)}
    found = []
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    for node in (inner for statement in body for inner in ast.walk(statement)):
        where = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, FORBIDDEN):
            found.append(f"{where}: {type(node).__name__}")
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id not in ALLOWED_CALLS | inlines:
                found.append(f"{where}: calls {called.id}")
            elif isinstance(called, ast.Attribute):
                is_numpy = isinstance(called.value, ast.Name) and called.value.id == "np"
                if not (is_numpy and called.attr in ALLOWED_NUMPY):
                    found.append(f"{where}: calls {ast.unparse(called)}")
        elif isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
                    found.append(f"{where}: a negative index")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and is_block and node.id in ("begin", "end"):
            found.append(f"{where}: changes its range")
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_bodies_keep_the_rules(name: str) -> None:
    found = KERNELS[name]
    assert offences(found.function, isinstance(found, BlockKernel)) == []
    for inline in called_inlines(found.function):
        assert offences(inline) == [], inline.__qualname__


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_say_what_they_do(name: str) -> None:
    assert (KERNELS[name].function.__doc__ or "").strip()


def test_float_constants_of_kernel_modules_are_float32() -> None:
    """A bare Python float would make float64 of everything it touches."""
    seen = 0
    for found in KERNELS.values():
        for function in (found.function, *called_inlines(found.function)):
            for name in function.__code__.co_names:
                value = function.__globals__.get(name)
                assert not isinstance(value, float), f"{function.__qualname__}: {name}"
                seen += isinstance(value, np.float32)
    assert seen > 50


def test_no_kernel_holds_a_bare_float() -> None:
    wrong = []
    for found in KERNELS.values():
        for function in (found.function, *called_inlines(found.function)):
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.float32", "np.float64"):
                    node.args = []
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, float):
                    wrong.append(f"{function.__qualname__}: {node.value}")
    assert wrong == []


def test_a_bad_kernel_is_found() -> None:
    """The rules are able to fail."""

    def bad(values, begin, end):  # type: ignore[no-untyped-def]
        total = [value + 1 for value in values]
        print(total, values[-1], np.zeros(3), np.sin(1.0))

    texts = " ".join(offences(bad))
    for expected in ("ListComp", "calls print", "negative index", "calls np.zeros", "calls np.sin"):
        assert expected in texts
