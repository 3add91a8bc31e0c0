"""Runs inside the editor (see test_editor_drawing.py): drives the drawing and prints what it saw."""

from __future__ import annotations

import json
import traceback

import numpy as np

from addons.pynav.bridge import Color, PackedFloat32Array, Vector2, Vector2i, Vector3, engine, on_frame, singleton
from addons.pynav.editor.drawing_part import DrawingPart
from addons.pynav.editor.editor_switch import PynavEditorSwitch
from addons.pynav.editor.kept_marks import keep_marks, recall_marks
from addons.pynav.editor.map_gizmos import PynavMapGizmos
from addons.pynav.editor.map_handles import GOAL, PROBE, START
from addons.pynav.editor.one_way_part import _BAR, PynavOneWayGizmos
from addons.pynav.editor.pynav_editor_plugin import PynavEditorPlugin
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from addons.pynav.nodes.debug_drawing.views import _local_ray, canvas_to_local, point_on_ground
from addons.pynav.nodes.ground import ray_on_ground
from pynav.drawing import Layer, Role, palette
from pynav.grid import TileGrid, generate_map
from pynav.portals import SectorMap
from tests.naive import drawing as naive

SEEN = {}


class Recorder:
    """A gizmo that keeps what it is given."""

    def __init__(self, node):
        self.node, self.meshes, self.handles = node, [], []

    def get_node_3d(self):
        return self.node

    def clear(self):
        self.meshes, self.handles = [], []

    def add_mesh(self, mesh, *_):
        self.meshes.append(mesh)

    def add_collision_segments(self, points):
        pass

    def add_handles(self, points, material, numbers):
        self.handles = list(zip(numbers.to_list(), [list(point) for point in points.to_list()], strict=True))


def settled(node):
    while node._drawn.drawing is None or node._drawn.drawing.is_busy:
        yield 1
    yield 2


def points_of(mesh, surface):
    arrays = mesh.surface_get_arrays(surface)
    return np.array([list(point) for point in arrays[0].to_list()]), np.array([list(tint) for tint in arrays[3].to_list()])


def quads_of(meshes, role):
    """Quads of a role."""
    return tinted(meshes, palette()[role] / 255)


def tinted(meshes, tint):
    """Quads of a colour, as sets of corners (x, z), from triangles with four corners each."""
    found = []
    for mesh in meshes:
        for surface in range(mesh.get_surface_count()):
            arrays = mesh.surface_get_arrays(surface)
            is_solid = mesh.surface_get_primitive_type(surface) == engine.Mesh.PRIMITIVE_TRIANGLES
            if not is_solid or arrays[3] is None or not len(arrays[3]):
                continue
            points, tints = points_of(mesh, surface)
            is_of = np.abs(tints[::4] - tint).max(axis=1) < 0.01
            found += [points[4 * k : 4 * k + 4] for k in np.flatnonzero(is_of)]
    return np.array(found)


def bars_of(mesh):
    """Middles (x, z) of the bars of a one-way node."""
    quads = tinted([mesh], np.array(_BAR))
    return sorted(np.round(quad[:, [0, 2]].mean(axis=0), 2).tolist() for quad in quads)


def keep_marks_far(plane):
    """Keep a mark that is outside of the map."""
    plane._drawn.probe = (79, 49)
    keep_marks(plane._drawn)
    plane._drawn.probe = None


def steps():
    interface = singleton("EditorInterface")
    PynavEditorSwitch().turn(True)
    yield 5
    part = next(part for part in PynavEditorPlugin.in_editor._parts if isinstance(part, DrawingPart))
    SEEN["layers at first"] = int(IN_EDITOR.layers)
    interface.open_scene_from_path("res://level.tscn")
    yield 20
    root = interface.get_edited_scene_root()
    space, plane = root.get_node("Space"), root.get_node("Plane")
    SEEN["no world in the editor"] = [space._world is None, plane._world is None]

    def switch(layers):
        IN_EDITOR.layers = Layer(layers)
        part._switched()

    # portals in 3D
    switch(Layer.PORTALS | Layer.SECTORS)
    interface.set_main_screen_editor("3D")
    camera = interface.get_editor_viewport_3d(0).get_camera_3d()
    camera.look_at_from_position(Vector3(50, 60, 60), Vector3(50, 0, 30))
    yield 10
    yield from settled(space)
    sectors = SectorMap(TileGrid(generate_map("city", 96, 64, 0).cost))
    gizmo = Recorder(space)
    gizmos = PynavMapGizmos()
    gizmos._redraw(gizmo)
    SEEN["level"] = space._drawn.drawing.level
    bars = quads_of(gizmo.meshes, Role.PORTAL)
    middles = sorted(tuple(np.round(quad[:, [0, 2]].mean(axis=0), 3).tolist()) for quad in bars)
    expected = sorted(((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in naive.bars(sectors))
    SEEN["bars"] = [len(middles), middles == expected]
    SEEN["on the ground"] = bool((bars[:, :, 1] > 0.0).all() and (bars[:, :, 1] < 0.2).all())
    SEEN["the editor has our gizmo"] = len(space.get_gizmos())

    # probe and path: handles where the marks are, dragged along a camera's ray
    switch(Layer.FLOW | Layer.PATH)
    yield 3
    yield from settled(space)
    gizmos._redraw(gizmo)
    drawn = space._drawn
    marks = {PROBE: drawn.probe, START: drawn.ends[0], GOAL: drawn.ends[1]}
    away = [abs(np.subtract(point[::2], marks[number]) - 0.5).max() for number, point in gizmo.handles]
    SEEN["handles"] = len(away) == 3 and bool(max(away) < 1e-4)
    target = (12, 20)
    world = space.to_global(Vector3(target[0] + 0.5, 0.0, target[1] + 0.5))
    pixel = camera.unproject_position(world)
    place = point_on_ground(space, drawn.plane(), camera, pixel)
    SEEN["ray"] = [int(place[0]), int(place[1])] == list(target)
    gizmos._set_handle(gizmo, PROBE, False, camera, pixel)
    SEEN["dragged"] = list(drawn.probe) == list(target)
    gizmos._commit_handle(gizmo, PROBE, False, Vector2(*marks[PROBE]), True)
    SEEN["cancelled"] = drawn.probe == marks[PROBE]

    # on a hill a mark comes to the tile that is seen under the mouse, not to the one of the plane behind it
    hill = np.zeros((64, 96), dtype=np.float32)
    hill[10:30, 5:25] = 6.0
    space.heights = PackedFloat32Array(hill.reshape(-1))
    yield 3
    pixel = camera.unproject_position(space.to_global(Vector3(target[0] + 0.5, 6.0, target[1] + 0.5)))
    gizmos._set_handle(gizmo, PROBE, False, camera, pixel)
    flat = ray_on_ground(*_local_ray(camera, space.global_transform.inverse(), pixel), drawn.plane(), None)
    SEEN["dragged on a hill"] = list(drawn.probe) == list(target) and abs(flat[1] - target[1]) > 2.0
    gizmos._commit_handle(gizmo, PROBE, False, Vector2(*marks[PROBE]), True)
    space.heights = PackedFloat32Array()

    # an edit of the node's properties is followed; the arrays of the drawing are those of a new map
    space.generator_seed = 5
    yield 5
    yield from settled(space)
    cost = generate_map("city", 96, 64, 5).cost
    SEEN["edited"] = bool(np.array_equal(space._drawn.drawing.grid.cost, cost))
    SEEN["edited sectors"] = bool(np.array_equal(space._drawn.drawing.sectors.island, SectorMap(TileGrid(cost)).island))

    # 2D
    switch(Layer.TILES | Layer.FLOW)
    interface.set_main_screen_editor("2D")
    interface.edit_node(plane)
    yield 10
    yield from settled(plane)
    SEEN["canvas items"] = len(plane._drawn.renderer._items) > 1
    SEEN["selected"] = part._canvas_map() is plane._drawn
    transform = canvas_to_local(plane)
    at = transform.apply(plane._drawn.plane().to_local(plane._drawn.probe[0] + 0.5, plane._drawn.probe[1] + 0.5))
    press = engine.InputEventMouseButton()
    press.button_index, press.pressed, press.position = 1, True, at
    SEEN["grabbed"] = part.canvas_input(press)
    motion = engine.InputEventMouseMotion()
    motion.position = transform.apply(plane._drawn.plane().to_local(10.5, 8.5))
    SEEN["kept"] = part.canvas_input(motion)
    SEEN["moved"] = list(plane._drawn.probe)
    release = engine.InputEventMouseButton()
    release.button_index, release.pressed, release.position = 1, False, motion.position
    part.canvas_input(release)
    SEEN["let go"] = part._dragged is None

    # the toolbar
    button = part._toolbars[0].button
    popup = button.get_popup()
    popup.emit_signal("id_pressed", int(Layer.ISLANDS))
    settings = interface.get_editor_settings()
    other = part._toolbars[1].button.get_popup()
    SEEN["toolbar"] = [
        bool(IN_EDITOR.layers & Layer.ISLANDS),
        int(settings.get_project_metadata("pynav_drawing", "layers", -1)) == int(IN_EDITOR.layers),
        other.is_item_checked(popup.get_item_index(int(Layer.ISLANDS))),
    ]
    settings.set_setting("pynav/drawing/portal_color", Color(1, 0, 0, 1))
    part._settings_changed()
    SEEN["colour"] = IN_EDITOR.palette[Role.PORTAL].tolist()

    # life: off, deleted, closed
    PynavEditorSwitch().turn(False)
    yield 5
    SEEN["off"] = [plane._drawn.drawing is None, space._drawn.drawing is None, len(plane._drawn.renderer._items)]
    PynavEditorSwitch().turn(True)
    yield 8
    SEEN["on again"] = [int(IN_EDITOR.layers) != 0, plane._drawn.drawing is not None]
    # marks stand where they were put when the scene is opened again; those outside of the map by now are new ones
    ends = plane._drawn.ends
    interface.close_scene()
    yield 5
    interface.open_scene_from_path("res://level.tscn")
    yield 20
    plane, space = (interface.get_edited_scene_root().get_node(name) for name in ("Plane", "Space"))
    yield from settled(plane)
    SEEN["marks again"] = [list(plane._drawn.probe), plane._drawn.ends == ends]
    plane._drawn.probe = (79, 49)
    yield 5
    plane.size = Vector2i(48, 48)
    yield 5
    yield from settled(plane)
    SEEN["mark in the smaller map"] = plane._drawn.grid().contains(*plane._drawn.probe)
    keep_marks_far(plane)
    recall_marks(plane._drawn)
    SEEN["marks outside"] = plane._drawn.probe

    # one-way tiles in 3D: bars on what is closed, the arrow along -z
    one_way = interface.get_edited_scene_root().get_node("Space/Ledge")
    gizmo = Recorder(one_way)
    one_way_gizmos = PynavOneWayGizmos()
    one_way_gizmos._redraw(gizmo)
    SEEN["one way"] = [len(one_way.get_gizmos()), bars_of(gizmo.meshes[0])]
    one_way.closes = one_way.Closes.ALL_BUT_FRONT
    one_way_gizmos._redraw(gizmo)
    SEEN["one way, sides too"] = bars_of(gizmo.meshes[0])
    plane.free()
    space.free()
    yield 5
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
