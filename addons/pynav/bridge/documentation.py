"""Docstrings as the editor's built-in help (F1)."""

from __future__ import annotations

import enum
import inspect
import time
from pathlib import Path
from typing import Any

from .annotations import TypeOfValue
from .api_table import table
from .declarations import Export
from .engine_classes import known_classes, singleton
from .help_text import linked, member_texts, paragraphs
from .interface import lib
from .main_loop import on_frame, remove_on_frame
from .methods import REQUIRED, ExposedMethod


def escape(text: str) -> str:
    """Text as XML shows it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoteattr(text: str) -> str:
    """Text as a quoted XML attribute."""
    return '"' + escape(text).replace('"', "&quot;").replace("\n", "&#10;") + '"'


def _type_attributes(kind: TypeOfValue | None, owner: str) -> str:
    """The type of a value, and the enum that it is a member of."""
    if kind is None:
        return 'type="void"'
    if kind.enum_type is not None:
        is_flags = issubclass(kind.enum_type, enum.IntFlag)
        name = f"{owner}.{kind.enum_type.__name__}"
        return f'type="int" enum={quoteattr(name)}' + (' is_bitfield="true"' if is_flags else "")
    return f"type={quoteattr(kind.class_name or kind.codec.name)}"


def _literal(value: Any) -> str:
    """A default as GDScript writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, enum.Enum):
        return str(int(value.value))
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"{type(value).__name__}({', '.join(_flat(value))})"
    return "[]" if isinstance(value, (list, tuple)) and not value else str(value)


def _flat(value: Any) -> list[str]:
    """The numbers of a vector, rectangle or transform."""
    parts = []
    for part in value:
        parts += _flat(part) if isinstance(part, tuple) else [f"{part:g}" if isinstance(part, float) else str(part)]
    return parts


def _link(declaration: Any, name: str) -> str:
    """How a help page refers to a member of the class, to a class, or to a constant; empty for what is neither."""
    for kind, names in (
        ("method", declaration.methods),
        ("member", declaration.exports),
        ("signal", declaration.signals),
        ("enum", declaration.enums),
        ("constant", [*declaration.constants, *(m for e in declaration.enums.values() for m in e.__members__)]),
    ):
        if name in names:
            return f"[{kind} {name}]"
    if name == declaration.python_class.engine_name:
        return f"[b]{name}[/b]"
    return f"[{name}]" if name in known_classes() or name in table().parents else ""


def class_xml(
    python_class: Any, parent: str, methods: list[ExposedMethod], exports: list[Export], names_defaults: bool = False
) -> str:
    """The help page of a class, in the engine's format; the texts of properties may name their defaults."""
    declaration, owner = python_class.declaration, python_class.engine_name

    def text(doc: str | None) -> str:
        return escape("\n".join(linked(line, lambda name: _link(declaration, name)) for line in paragraphs(doc)))

    brief, _, rest = inspect.cleandoc(python_class.__doc__ or "").partition("\n\n")
    lines = [
        f'<class name={quoteattr(owner)} inherits={quoteattr(parent)} version="4.6">',
        f"<brief_description>{text(brief)}</brief_description>",
        f"<description>{text(rest or brief)}</description>",
        "<tutorials></tutorials>",
        "<methods>",
    ]
    for method in methods:
        qualifiers = " ".join(["static"] * method.is_static + ["const"] * bool(method.flags & 4))
        lines.append(f"<method name={quoteattr(method.name)}" + (f' qualifiers="{qualifiers}"' if qualifiers else "") + ">")
        lines.append(f"<return {_type_attributes(method.result, owner)} />")
        for index, argument in enumerate(method.arguments):
            default = "" if argument.default is REQUIRED else f" default={quoteattr(_literal(argument.default))}"
            kind = _type_attributes(argument.type, owner)
            lines.append(f'<param index="{index}" name={quoteattr(argument.name)} {kind}{default} />')
        lines.append(f"<description>{text(method.function.__doc__)}</description></method>")
    lines.append("</methods><members>")
    for export in exports:
        setter = "" if export.is_read_only else f"set_{export.name}"
        default = _literal(export.fresh_default())
        named = f"\n[b]Default:[/b] [code]{escape(default)}[/code]" if names_defaults and setter else ""
        lines.append(
            f"<member name={quoteattr(export.name)} {_type_attributes(export.type, owner)}"
            f' setter="{setter}" getter="get_{export.name}" default={quoteattr(default)}>'
            f"{text(export.doc)}{named}</member>"
        )
    lines.append("</members><signals>")
    for signal in declaration.signals.values():
        lines.append(f"<signal name={quoteattr(signal.name)}>")
        for index, (name, kind) in enumerate(zip(signal.arguments, signal.types, strict=True)):
            lines.append(f'<param index="{index}" name={quoteattr(name)} {_type_attributes(kind, owner)} />')
        lines.append(f"<description>{text(signal.doc)}</description></signal>")
    lines.append("</signals><constants>")
    for name, constant in declaration.constants.items():
        lines.append(f'<constant name={quoteattr(name)} value="{constant.value}">{text(constant.doc)}</constant>')
    for enum_name, enum_type in declaration.enums.items():
        texts = member_texts(enum_type)
        for member in enum_type:
            lines.append(
                f'<constant name={quoteattr(member.name)} value="{int(member)}" enum={quoteattr(enum_name)}>'
                f"{text(texts[member.name])}</constant>"
            )
    lines.append("</constants></class>")
    return '<?xml version="1.0" encoding="UTF-8" ?>\n' + "\n".join(lines)


class _Cache:
    """The editor's cache of its own help pages."""

    path: Path | None = None
    handed_over_seconds = 0.0
    frames = 0


_published: list[tuple[Any, str, list[ExposedMethod], list[Export]]] = []
_LOOK_EVERY_FRAMES, _LONGEST_LOOK_FRAMES = 30, 36_000


def publish(python_class: Any, parent: str, methods: list[ExposedMethod], exports: list[Export]) -> None:
    """Keep a class's page for the editor; it is handed over when the editor's level starts."""
    if singleton("Engine").is_editor_hint():
        _published.append((python_class, parent, methods, exports))


def hand_over() -> None:
    """Give the pages to the editor, and again once it has made its own.

    At its first start after an installation the editor makes all its pages anew, on a thread, and drops what it was given
    before. It has done so when it writes its cache. Until its next start it then shows only what our pages say, and of these it
    leaves the defaults out: their texts have to name them.
    """
    _give()
    _Cache.handed_over_seconds = time.time()
    on_frame(_look_at_cache)


def _give(names_defaults: bool = False) -> None:
    for description in _published:
        page = class_xml(*description, names_defaults).encode()
        lib.gde_editor_help_load_xml_from_utf8_chars_and_len(page, len(page))


def _look_at_cache() -> None:
    _Cache.frames += 1
    if _Cache.frames % _LOOK_EVERY_FRAMES:
        return
    if _Cache.path is None:
        version = table().version
        folder = str(singleton("EditorInterface").get_editor_paths().get_cache_dir())
        _Cache.path = Path(folder, f"editor_doc_cache-{version[0]}.{version[1]}.res")
    if _Cache.path.exists() and _Cache.path.stat().st_mtime > _Cache.handed_over_seconds - 1.0:
        _give(names_defaults=True)
    elif _Cache.frames < _LONGEST_LOOK_FRAMES:
        return
    remove_on_frame(_look_at_cache)
