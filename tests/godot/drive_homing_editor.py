"""Runs inside the editor (see test_homing_editor.py): drives the preview of homing grids and prints what it saw."""

from __future__ import annotations

import json
import traceback

import numpy as np

from addons.pynav.bridge import Vector2, Vector3, on_frame, singleton
from addons.pynav.editor.editor_switch import PynavEditorSwitch
from addons.pynav.editor.homing_part import PynavHomingGizmos, PynavHomingSourceGizmos

SEEN = {}
SETTLE = 30


class Recorder:
    """A gizmo that keeps what it is given."""

    def __init__(self, node):
        self.node, self.meshes, self.lines, self.segments = node, [], [], 0
        self.circles, self.materials = [], []

    def get_node_3d(self):
        return self.node

    def clear(self):
        self.meshes, self.lines = [], []

    def add_mesh(self, mesh, material, transform):
        self.meshes.append(mesh)
        SEEN["raised"] = transform.origin.y

    def add_lines(self, points, material):
        self.lines.append(len(points))
        self.circles.append(np.array([list(point) for point in points.to_list()]))
        self.materials.append(tuple(round(part, 2) for part in material.albedo_color))

    def add_collision_segments(self, points):
        self.segments = len(points)


def arrows(mesh):
    """Heads less tails of all arrows, and where they are: (n, 3) both."""
    points = np.array([list(point) for point in mesh.surface_get_arrays(0)[0].to_list()]).reshape(-1, 9, 3)
    tail, head = (points[:, 0] + points[:, 5]) / 2, points[:, 7]
    return head - tail, (head + tail) / 2


def towards(mesh, x, z, flat=False):
    """The smallest cosine between an arrow and the straight line to a place, of arrows more than a cell away."""
    ways, middles = arrows(mesh)
    if flat:
        ways, middles = ways[:, [0, 2, 1]], middles[:, [0, 2, 1]]
    to = np.array([x, 0.0, z]) - middles
    far = np.hypot(to[:, 0], to[:, 2])
    cosines = (ways * to).sum(axis=1) / np.maximum(np.linalg.norm(ways, axis=1) * far, 1e-9)
    cell = np.abs(np.diff(np.unique(np.round(middles[:, 0], 2)))).max()
    return round(float(cosines[far > 2 * cell].min()), 3)


def glow_of(grid):
    """How many children show a shader's glow, how wide the first is, and whether any of them is saved with the scene."""
    found = [child for child in grid.get_children(True) if child.is_class("Sprite2D") and not child.is_queued_for_deletion()]
    width = [round(float(child.scale.x * child.texture.get_width())) for child in found[:1]]
    return [len(found), width, any(child.owner is not None for child in found)]


def hottest(grid):
    """Column and row where it glows most. (Headless, a texture's image is the first that it was given.)"""
    row, column = np.unravel_index(grid._preview.strength.argmax(), grid._preview.strength.shape)
    return [int(column), int(row)]


def circles(source):
    """Radii of the circles round a source: as it is, as a repeller with a reach, as a well."""
    found = []
    for name, value in (("power", 1.0), ("power", -1.0), ("reach", 3.0), ("well_radius", 1.5)):
        setattr(source, name, value)
        gizmo = Recorder(source)
        PynavHomingSourceGizmos()._redraw(gizmo)
        found.append([[round(float(np.abs(points).max()), 3) for points in gizmo.circles], gizmo.materials])
    source.power, source.reach, source.well_radius = 1.0, 0.0, 0.0
    return found


def steps():
    interface = singleton("EditorInterface")
    PynavEditorSwitch().turn(True)
    yield 5
    interface.open_scene_from_path("res://level.tscn")
    yield SETTLE
    root = interface.get_edited_scene_root()
    grid, source = root.get_node("Space"), root.get_node("Space/Enemy")
    gizmos, gizmo = PynavHomingGizmos(), Recorder(grid)

    def look():
        gizmos._redraw(gizmo)
        return gizmo.meshes[0] if gizmo.meshes else None

    SEEN["circles"] = circles(source)
    SEEN["the editor has circles"] = len(source.get_gizmos())
    SEEN["no world"] = grid._world is None
    SEEN["the editor has our gizmo"] = len(grid.get_gizmos())
    mesh = look()
    SEEN["lines"] = [gizmo.lines, gizmo.segments]
    SEEN["line colours"] = gizmo.materials[-2:]
    SEEN["arrows"] = len(arrows(mesh)[0])
    SEEN["to the enemy"] = towards(mesh, -3.5, 2.5)
    source.position = Vector3(5.5, 1.0, -4.5)
    yield SETTLE
    SEEN["followed"] = towards(look(), 5.5, -4.5)
    kept = look()
    yield SETTLE
    SEEN["made only when something changed"] = look() is kept
    grid.far_field = 1
    yield SETTLE
    SEEN["exact"] = towards(look(), 5.5, -4.5)
    source.disabled = True
    yield SETTLE
    SEEN["without sources"] = look() is None
    source.disabled = False
    yield SETTLE
    SEEN["with one again"] = look() is not None
    grid.debug_draw = False
    yield 2
    SEEN["switched off"] = [look() is None, gizmo.lines]
    grid.debug_draw = True
    root.remove_child(grid)
    yield SETTLE
    root.add_child(grid)
    grid.owner = root
    yield SETTLE
    SEEN["moved in the tree"] = look() is not None

    plane = root.get_node("Plane")
    SEEN["2D"] = towards(plane._preview_mesh(), 45.0, 155.0, flat=True)
    root.get_node("Plane/Enemy").position = Vector2(155, 45)
    yield SETTLE
    SEEN["2D followed"] = towards(plane._preview_mesh(), 155.0, 45.0, flat=True)
    plane.cell_count = type(plane.cell_count)(20, 40)
    yield SETTLE
    SEEN["length"] = round(float(np.linalg.norm(arrows(plane._preview_mesh())[0], axis=1).max()), 3)
    plane.cell_count = type(plane.cell_count)(20, 20)
    plane.show_glow = True
    plane.glow_edge = 0.5
    yield SETTLE
    SEEN["glow"] = [glow_of(plane), hottest(plane)]
    plane.debug_draw = False
    yield SETTLE
    SEEN["glow alone"] = [plane._preview_mesh() is None, glow_of(plane)]
    root.get_node("Plane/Enemy").position = Vector2(25, 15)
    yield SETTLE
    SEEN["glow followed"] = hottest(plane)
    plane.far_field = 1
    yield SETTLE
    SEEN["glow exact"] = hottest(plane)
    plane.show_glow = False
    yield SETTLE
    SEEN["glow off"] = glow_of(plane)
    plane.far_field = 0
    plane.debug_draw = True
    plane.cell_count = type(plane.cell_count)(200, 200)
    yield SETTLE
    SEEN["too large for arrows"] = plane._preview_mesh() is None
    PynavEditorSwitch().turn(False)
    yield 5
    plane.free()
    yield SETTLE
    interface.close_scene()
    yield 5
    print("RESULT seen=" + json.dumps(SEEN, default=str))
    interface.get_base_control().get_tree().quit()


run = steps()
waiting = [30]


@on_frame
def drive():
    waiting[0] -= 1
    if waiting[0] > 0:
        return
    try:
        waiting[0] = next(run, 10_000)
    except Exception:
        print(traceback.format_exc())
        print("RESULT seen=" + json.dumps(SEEN, default=str))
        waiting[0] = 10_000
        singleton("EditorInterface").get_base_control().get_tree().quit()
