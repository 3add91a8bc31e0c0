"""What the toolbar remembers for a project, and the colours in the editor settings."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Color, singleton
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from pynav.drawing.roles import NAMED_ROLES, Colour, Role, palette
from pynav.drawing.view import Layer

_SECTION = "pynav_drawing"
_COLOURS = "pynav/drawing"
_GROUND = f"{_COLOURS}/ground"
_DEFAULT_LAYERS = int(Layer.TILES | Layer.SECTORS)


def _settings() -> Any:
    return singleton("EditorInterface").get_editor_settings()


def declare() -> None:
    """Make the colours known to the editor settings, with their defaults."""
    settings = _settings()
    if not settings.has_setting(_GROUND):
        settings.set_setting(_GROUND, 0)
    settings.set_initial_value(_GROUND, 0, False)
    settings.add_property_info({"name": _GROUND, "type": 2, "hint": 2, "hint_string": "Dark,Light"})
    standard = palette()
    for name, role in NAMED_ROLES.items():
        key = f"{_COLOURS}/{name}_color"
        colour = Color(*(standard[role] / 255).tolist())
        if not settings.has_setting(key):
            settings.set_setting(key, colour)
        settings.set_initial_value(key, colour, False)


def load_colours() -> None:
    """Take the colours of the editor settings over: those that were changed replace those of the chosen ground."""
    settings = _settings()
    standard = palette()
    changes: dict[Role, Colour] = {}
    for name, role in NAMED_ROLES.items():
        red, green, blue, alpha = (round(255 * part) for part in settings.get_setting(f"{_COLOURS}/{name}_color"))
        if (red, green, blue, alpha) != tuple(standard[role].tolist()):
            changes[role] = (red, green, blue, alpha)
    fresh = palette(is_dark=int(settings.get_setting(_GROUND)) == 0, changes=changes)
    if (fresh != IN_EDITOR.palette).any():
        IN_EDITOR.palette = fresh
        IN_EDITOR.serial += 1


def load_layers() -> None:
    """Show what this project showed the last time."""
    settings = _settings()
    IN_EDITOR.layers = Layer(int(settings.get_project_metadata(_SECTION, "layers", _DEFAULT_LAYERS)) & sum(Layer))
    IN_EDITOR.unit_size = min(max(int(settings.get_project_metadata(_SECTION, "unit_size", 2)), 1), 5)


def save_layers() -> None:
    """Remember for this project what is shown."""
    settings = _settings()
    settings.set_project_metadata(_SECTION, "layers", int(IN_EDITOR.layers))
    settings.set_project_metadata(_SECTION, "unit_size", IN_EDITOR.unit_size)
