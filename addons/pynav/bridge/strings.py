"""String and StringName in the engine's memory, and the names that the bridge keeps."""

from __future__ import annotations

from typing import Any

from .interface import ffi, lib

STRING, STRING_NAME, NODE_PATH = 4, 21, 22

_names: dict[str, Any] = {}
_destructors: dict[int, Any] = {}
_constructors: dict[tuple[int, int], Any] = {}


def destructor(variant_type: int) -> Any:
    """The engine's destructor of a builtin type."""
    found = _destructors.get(variant_type)
    if found is None:
        found = _destructors[variant_type] = lib.gde_variant_get_ptr_destructor(variant_type)
    return found


def constructor(variant_type: int, index: int) -> Any:
    """One of the engine's constructors of a builtin type; 0 default, 1 copy."""
    found = _constructors.get((variant_type, index))
    if found is None:
        found = _constructors[variant_type, index] = lib.gde_variant_get_ptr_constructor(variant_type, index)
    return found


def string_name(text: str) -> Any:
    """A StringName that stays until the bridge closes (for names of classes and members: a bounded set)."""
    found = _names.get(text)
    if found is None:
        found = ffi.new("uint64_t *")
        data = text.encode()
        lib.gde_string_name_new_with_utf8_chars_and_len(found, data, len(data))
        _names[text] = found
    return found


def name_key(text: str) -> int:
    """What the engine compares when it compares this name."""
    return int(string_name(text)[0])


def release_names() -> None:
    """Give all kept names back (at the very end)."""
    function = destructor(STRING_NAME)
    while _names:
        _, name = _names.popitem()
        lib.pynav_call_destructor(function, name)


def write_string(pointer: Any, text: str) -> None:
    """Construct a String at `pointer`."""
    data = text.encode("utf-8", "backslashreplace")
    lib.gde_string_new_with_utf8_chars_and_len2(pointer, data, len(data))


def read_string(pointer: Any) -> str:
    """The text of the String at `pointer`."""
    length = lib.gde_string_to_utf8_chars(pointer, ffi.NULL, 0)
    if length == 0:
        return ""
    buffer = ffi.new("char[]", length)
    lib.gde_string_to_utf8_chars(pointer, buffer, length)
    return bytes(ffi.buffer(buffer, length)).decode("utf-8", "replace")


def destroy_string(pointer: Any) -> None:
    """Destroy the String at `pointer`."""
    lib.pynav_call_destructor(destructor(STRING), pointer)


def _read_through_string(pointer: Any, string_constructor: int) -> str:
    text = ffi.new("uint64_t *")
    lib.pynav_call_constructor(constructor(STRING, string_constructor), text, ffi.new("GDExtensionConstTypePtr[1]", [pointer]))
    result = read_string(text)
    destroy_string(text)
    return result


def read_string_name(pointer: Any) -> str:
    """The text of the StringName at `pointer`."""
    return _read_through_string(pointer, 2)


def read_node_path(pointer: Any) -> str:
    """The text of the NodePath at `pointer`."""
    return _read_through_string(pointer, 3)


def write_string_name(pointer: Any, text: str) -> None:
    """Construct a StringName at `pointer`."""
    data = text.encode("utf-8", "backslashreplace")
    lib.gde_string_name_new_with_utf8_chars_and_len(pointer, data, len(data))


def write_node_path(pointer: Any, text: str) -> None:
    """Construct a NodePath at `pointer`."""
    string = ffi.new("uint64_t *")
    write_string(string, text)
    lib.pynav_call_constructor(constructor(NODE_PATH, 2), pointer, ffi.new("GDExtensionConstTypePtr[1]", [string]))
    destroy_string(string)


class OwnedString:
    """A String that lives as long as this object."""

    def __init__(self, text: str) -> None:
        self.pointer = ffi.new("uint64_t *")
        write_string(self.pointer, text)

    def release(self) -> None:
        """End it now."""
        pointer = getattr(self, "pointer", None)
        if pointer is not None:
            self.pointer = None
            destroy_string(pointer)

    __del__ = release


class KnownNames:
    """Texts of StringNames that the engine passes again and again, by their key; only of names that
    `string_name` keeps alive.
    """

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    def text(self, pointer: Any) -> str:
        """Text of the StringName at `pointer`, read once for each name."""
        key = int(ffi.cast("uint64_t *", pointer)[0])
        found = self._texts.get(key)
        if found is None:
            found = read_string_name(pointer)
            if name_key(found) == key:
                self._texts[key] = found
        return found


KNOWN_NAMES = KnownNames()

__all__ = [
    "KNOWN_NAMES",
    "OwnedString",
    "constructor",
    "destroy_string",
    "destructor",
    "name_key",
    "read_node_path",
    "read_string",
    "read_string_name",
    "release_names",
    "string_name",
    "write_node_path",
    "write_string",
    "write_string_name",
]
