"""The Object callbacks that are no virtual methods: `_set`, `_get`, `_get_property_list`, `_notification`,
`_to_string`, ...

A class that defines one of these names gets it, with Python values:

- ``_get(self, name: str) -> value or None``, ``_set(self, name: str, value) -> bool``
- ``_get_property_list(self) -> list[PropertyInfo]``, ``validate_property(self, info: EditableProperty)``
- ``_property_can_revert(self, name) -> bool``, ``_property_get_revert(self, name) -> value``
- ``_notification(self, what: int)``, ``_to_string(self) -> str``
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import strings, variants
from .errors import report
from .instances import instance_of
from .interface import ffi
from .properties import PropertyInfo, property_infos

_lists: dict[int, Any] = {}


@dataclass
class EditableProperty:
    """What `validate_property` may change: hint, hint text and usage of the property it is asked about."""

    name: str
    variant_type: int
    hint: int
    hint_string: str
    usage: int


def on_set(handle: Any, name: Any, value: Any) -> bool:
    """An unknown property is set."""
    instance = instance_of(handle)
    try:
        return bool(instance._set(strings.KNOWN_NAMES.text(name), variants.load(value)))
    except Exception as error:
        report(error, type(instance)._set)
    return False


def on_get(handle: Any, name: Any, result: Any) -> bool:
    """An unknown property is read."""
    instance = instance_of(handle)
    try:
        value = instance._get(strings.KNOWN_NAMES.text(name))
        if value is not None:
            variants.destroy(result)
            variants.store(result, value)
            return True
    except Exception as error:
        report(error, type(instance)._get)
    return False


def on_get_property_list(handle: Any, count: Any) -> Any:
    """Which properties beyond the declared ones?"""
    instance = instance_of(handle)
    count[0] = 0
    try:
        infos: list[PropertyInfo] = list(instance._get_property_list())
        if not infos:
            return ffi.NULL
        memory, keep = property_infos(infos)
        _lists[int(ffi.cast("uintptr_t", memory))] = keep
        count[0] = len(infos)
        return memory
    except Exception as error:
        report(error, type(instance)._get_property_list)
    return ffi.NULL


def on_free_property_list(handle: Any, memory: Any, count: int) -> None:
    """The engine has read the list."""
    _lists.pop(int(ffi.cast("uintptr_t", memory)), None)


def on_can_revert(handle: Any, name: Any) -> bool:
    """Is there a value to revert to?"""
    instance = instance_of(handle)
    try:
        return bool(instance._property_can_revert(strings.KNOWN_NAMES.text(name)))
    except Exception as error:
        report(error, type(instance)._property_can_revert)
    return False


def on_get_revert(handle: Any, name: Any, result: Any) -> bool:
    """The value to revert to."""
    instance = instance_of(handle)
    try:
        value = instance._property_get_revert(strings.KNOWN_NAMES.text(name))
        variants.destroy(result)
        variants.store(result, value)
        return True
    except Exception as error:
        report(error, type(instance)._property_get_revert)
    return False


def on_validate_property(handle: Any, memory: Any) -> bool:
    """May change how a property is shown."""
    instance = instance_of(handle)
    try:
        info = EditableProperty(
            strings.read_string_name(memory.name),
            int(memory.type),
            int(memory.hint),
            strings.read_string(memory.hint_string),
            int(memory.usage),
        )
        before = info.hint_string
        instance.validate_property(info)
        memory.hint, memory.usage = info.hint, info.usage
        if info.hint_string != before:
            strings.destroy_string(memory.hint_string)
            strings.write_string(memory.hint_string, info.hint_string)
        return True
    except Exception as error:
        report(error, type(instance).validate_property)
    return False


def on_notification(handle: Any, what: int, is_reversed: bool) -> None:
    """A notification."""
    instance = instance_of(handle)
    if instance is None:
        return
    try:
        instance._notification(what)
    except Exception as error:
        report(error, type(instance)._notification)


def on_to_string(handle: Any, valid: Any, result: Any) -> None:
    """The object's text."""
    instance = instance_of(handle)
    valid[0] = 0
    try:
        text = str(instance._to_string())
        strings.destroy_string(result)
        strings.write_string(result, text)
        valid[0] = 1
    except Exception as error:
        report(error, type(instance)._to_string)
