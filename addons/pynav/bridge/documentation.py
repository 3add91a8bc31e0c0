"""Docstrings as the editor's built-in help (F1)."""

from __future__ import annotations

import inspect
from typing import Any

from .annotations import TypeOfValue
from .declarations import Export
from .engine_classes import singleton
from .interface import lib
from .methods import REQUIRED, ExposedMethod


def escape(text: str) -> str:
    """Text as XML shows it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoteattr(text: str) -> str:
    """Text as a quoted XML attribute."""
    return '"' + escape(text).replace('"', "&quot;").replace("\n", "&#10;") + '"'


def _type_name(kind: TypeOfValue | None) -> str:
    if kind is None:
        return "void"
    return kind.class_name or kind.codec.name


def _paragraphs(doc: str | None) -> tuple[str, str]:
    """Brief and long description: the first paragraph, and all of it."""
    text = inspect.cleandoc(doc or "")
    brief, _, rest = text.partition("\n\n")
    return " ".join(brief.split()), rest or brief


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return str(value) if not isinstance(value, str) else f'"{value}"'


def class_xml(python_class: Any, parent: str, methods: list[ExposedMethod], exports: list[Export]) -> str:
    """The help page of a class, in the engine's format."""
    declaration = python_class.declaration
    brief, description = _paragraphs(python_class.__doc__)
    lines = [
        f'<class name={quoteattr(python_class.engine_name)} inherits={quoteattr(parent)} version="4.6">',
        f"<brief_description>{escape(brief)}</brief_description>",
        f"<description>{escape(description)}</description>",
        "<tutorials></tutorials>",
        "<methods>",
    ]
    for method in methods:
        qualifiers = " ".join(["static"] * method.is_static + ["const"] * bool(method.flags & 4))
        lines.append(f"<method name={quoteattr(method.name)}" + (f' qualifiers="{qualifiers}"' if qualifiers else "") + ">")
        lines.append(f"<return type={quoteattr(_type_name(method.result))} />")
        for index, argument in enumerate(method.arguments):
            default = "" if argument.default is REQUIRED else f" default={quoteattr(_literal(argument.default))}"
            kind = quoteattr(_type_name(argument.type))
            lines.append(f'<param index="{index}" name={quoteattr(argument.name)} type={kind}{default} />')
        lines.append(f"<description>{escape(inspect.cleandoc(method.function.__doc__ or ''))}</description></method>")
    lines.append("</methods><members>")
    for export in exports:
        setter = "" if export.is_read_only else f"set_{export.name}"
        lines.append(
            f"<member name={quoteattr(export.name)} type={quoteattr(_type_name(export.type))}"
            f' setter="{setter}" getter="get_{export.name}" default={quoteattr(_literal(export.default))}>'
            f"{escape(inspect.cleandoc(export.doc))}</member>"
        )
    lines.append("</members><signals>")
    for signal in declaration.signals.values():
        lines.append(f"<signal name={quoteattr(signal.name)}>")
        for index, (name, kind) in enumerate(zip(signal.arguments, signal.types, strict=True)):
            lines.append(f'<param index="{index}" name={quoteattr(name)} type={quoteattr(_type_name(kind))} />')
        lines.append(f"<description>{escape(inspect.cleandoc(signal.doc))}</description></signal>")
    lines.append("</signals><constants>")
    for name, constant in declaration.constants.items():
        lines.append(f'<constant name={quoteattr(name)} value="{constant.value}">{escape(constant.doc)}</constant>')
    for enum_name, enum_type in declaration.enums.items():
        for member in enum_type:
            lines.append(
                f'<constant name={quoteattr(member.name)} value="{int(member)}" enum={quoteattr(enum_name)}>'
                f"{escape(inspect.cleandoc(enum_type.__doc__ or ''))}</constant>"
            )
    lines.append("</constants></class>")
    return '<?xml version="1.0" encoding="UTF-8" ?>\n' + "\n".join(lines)


_waiting: list[str] = []


def publish(python_class: Any, parent: str, methods: list[ExposedMethod], exports: list[Export]) -> None:
    """Keep a class's page for the editor; it is handed over when the editor's level starts."""
    if singleton("Engine").is_editor_hint():
        _waiting.append(class_xml(python_class, parent, methods, exports))


def hand_over() -> None:
    """Give the pages that wait to the editor."""
    while _waiting:
        data = _waiting.pop(0).encode()
        lib.gde_editor_help_load_xml_from_utf8_chars_and_len(data, len(data))
