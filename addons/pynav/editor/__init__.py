"""Editor tools. The nodes work without them; what comes here needs the editor.

`plugin.gd` is what plugin.cfg names; it switches `PynavEditorPlugin`, which hands everything to the parts in `parts.py`.
"""

from .editor_switch import PynavEditorSwitch
from .map_gizmos import PynavMapGizmos
from .pynav_editor_plugin import PynavEditorPlugin

__all__ = ["PynavEditorPlugin", "PynavEditorSwitch", "PynavMapGizmos"]
