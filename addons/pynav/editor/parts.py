"""The parts of the editor plugin, in the order in which they get events."""

from __future__ import annotations

from .brush_part import BrushPart
from .debugger_part import DebuggerPart
from .drawing_part import DrawingPart
from .editor_part import EditorPart
from .focus_part import FocusPart
from .homing_part import HomingPart
from .inspector_part import InspectorPart
from .one_way_part import OneWayPart

PARTS: tuple[type[EditorPart], ...] = (
    BrushPart, DrawingPart, HomingPart, OneWayPart, InspectorPart, DebuggerPart, FocusPart,
)  # fmt: skip
