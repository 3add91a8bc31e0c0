"""Docstrings as the text of a help page: paragraphs, and names as links."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable

# What reads as code in a docstring: `name`, name(), name_with_underscores, NAMES, and names of classes.
_NAME = re.compile(r"`([^`\n]+)`|(?<![\w.\[])([A-Za-z_]\w*)(\(\))?(?![\w(\]])")
Link = Callable[[str], str]


def paragraphs(doc: str | None) -> list[str]:
    """The paragraphs of a docstring, each on one line; lines of a list stay apart."""
    found = []
    for block in inspect.cleandoc(doc or "").split("\n\n"):
        lines: list[str] = []
        for line in block.splitlines():
            if lines and not line.lstrip().startswith("- "):
                lines[-1] += " " + line.strip()
            else:
                lines.append(line.strip())
        found += [line for line in lines if line]
    return found


def linked(text: str, link: Link) -> str:
    """Text with each name that `link` knows as a link; `link` gives the tag, or nothing."""

    def replace(match: re.Match[str]) -> str:
        quoted, name = match[1], match[2]
        tag = link(quoted.removesuffix("()") if quoted else name)
        if quoted:
            return tag or f"[code]{quoted}[/code]"
        # A plain word may be a name by accident ("size"): it must look like one.
        looks_like_code = bool(match[3]) or "_" in name or any(letter.isupper() for letter in name[1:])
        return tag if tag and looks_like_code else match[0]

    return _NAME.sub(replace, text)


def member_texts(enum_type: type[enum.Enum]) -> dict[str, str]:
    """What the docstring of an enum says of each member.

    A paragraph or line "NAME: text" is the member's own; a member without one gets what is said of the whole.
    """
    whole: list[str] = []
    own: dict[str, list[str]] = {}
    lines = whole
    for line in inspect.cleandoc(enum_type.__doc__ or "").splitlines():
        name, colon, rest = line.partition(":")
        if colon and name in enum_type.__members__:
            lines = own[name] = []
            line = rest
        lines.append(line.strip())
    general = " ".join(line for line in whole if line)
    return {name: " ".join(line for line in own.get(name, []) if line) or general for name in enum_type.__members__}
