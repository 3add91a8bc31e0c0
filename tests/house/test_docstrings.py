"""Public names say what they are."""

import ast

from tests.house.sources import Source, sources


def public_definitions(source: Source) -> list[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Public functions and classes of a file, and public methods of public classes, with their names."""
    found: list[tuple[str, ast.FunctionDef | ast.ClassDef]] = []

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                found.append((prefix + node.name, node))
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{prefix}{node.name}.")

    visit(source.tree.body, "")
    return found


def is_setter_or_overload(node: ast.FunctionDef | ast.ClassDef) -> bool:
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(name.endswith(".setter") or name in ("overload", "typing.overload") for name in names)


def test_every_module_has_a_text_at_its_head() -> None:
    missing = [
        source.place
        for source in sources("pynav", "addons", "tools", "benchmarks", "tests")
        if source.tree.body and not ast.get_docstring(source.tree)
    ]
    assert missing == []


def test_public_functions_and_classes_are_documented() -> None:
    missing = []
    for source in sources("pynav", "addons/pynav", "tools"):
        for name, node in public_definitions(source):
            if not ast.get_docstring(node) and not is_setter_or_overload(node):
                missing.append(f"{source.place}:{node.lineno} {name}")
    assert missing == []
