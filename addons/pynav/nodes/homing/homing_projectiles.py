"""What HomingProjectiles2D and HomingProjectiles3D share: a batch of the core, its drawing, its signals."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    Array,
    GodotObject,
    PackedColorArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedVector2Array,
    PackedVector3Array,
    engine,
    is_editor,
    is_valid,
    method,
    signal,
)
from pynav.homing import Hits, ProjectileBatch

from ..instance_drawing import InstanceDrawing
from ..place_watch import PlaceWatch
from ..telling import USER_ERRORS, NodeError, tell, told
from ..tick_record import TickCost
from .homing_flight import HomingFlight
from .homing_member import HomingMember

Points = npt.NDArray[np.float32]


class HomingProjectiles(HomingMember, HomingFlight, GodotObject, register=False):
    """Base of both nodes of projectiles."""

    hit = signal(
        "These projectiles hit in the last tick, and are gone: what they hit (source nodes, null for one that is gone), and "
        "where (in the grid's plane).",
        projectiles=PackedInt64Array,
        sources=Array,
        positions=PackedVector2Array,
    )
    expired = signal("These projectiles came to the end of their life in the last tick.", projectiles=PackedInt64Array)
    caught = signal("Gravity wells caught these projectiles in the last tick.", projectiles=PackedInt64Array)

    def __init__(self) -> None:
        super().__init__()
        self._batch: ProjectileBatch | None = None
        self._drawing: InstanceDrawing | None = None
        self._watch: PlaceWatch | None = None
        self._seen: tuple[Any, ...] = ()

    # --- what the subclasses say

    def _make_drawing(self) -> InstanceDrawing:
        raise NotImplementedError

    def _take_transforms(self) -> None:
        """Find how the grid's plane is drawn by this node, and note it in ``_seen``."""
        raise NotImplementedError

    def _bind_filling(self, buffer: Points, previous: Points | None) -> Any:
        raise NotImplementedError

    # --- the grid

    def _get_configuration_warnings(self) -> list[str]:
        return super()._get_configuration_warnings() + self._flight_problems()

    def _ready(self) -> None:
        if not is_editor():
            self._drawing = self._make_drawing()
        super()._ready()

    def _joined(self) -> None:
        self._watch = PlaceWatch(self, self._grid)
        self._batch = self._grid._need_world().add_projectiles(self._flight())
        self._grid._swarms[id(self)] = self

    def _left(self) -> None:
        home = self._grid
        home._swarms.pop(id(self), None)
        if self._batch is not None and home._world is not None:
            home._world.remove_projectiles(self._batch)
        self._batch = self._watch = None
        self._seen = ()

    def _flight_changed(self) -> None:
        if self._batch is not None:
            try:
                self._batch.settings = self._flight()
            except USER_ERRORS as error:
                tell(self, error)

    def _look_changed(self) -> None:
        self._seen = ()

    def _need_batch(self) -> ProjectileBatch:
        if self._grid is not None and not is_valid(self._grid):
            self._grid = self._batch = self._watch = None
        if self._batch is None and self.is_inside_tree() and not is_editor():
            self._look_for_grid()
        if self._batch is None:
            reason = "it idles in the editor" if is_editor() else self._grid_problem() or "it is not in the tree"
            raise NodeError(f"no projectiles can be here: {reason}")
        return self._batch

    # --- the tick

    def _after_tick(self, delta: float) -> None:
        batch, drawing, watch = self._batch, self._drawing, self._watch
        if batch is None or drawing is None or watch is None or not self.is_visible_in_tree():
            return
        if watch.moved() or not self._seen:
            self._take_transforms()
        drawing.draw(batch.slot_count, watch.is_interpolated(), batch, self._seen, self._bind_filling, TickCost())

    def _happened(self, batch: ProjectileBatch, hits: Hits, sources: list[Any], caught: Hits, expired: Any) -> None:
        if batch is not self._batch:
            return
        if len(hits.projectiles):
            there = [source if source is not None and is_valid(source) else None for source in sources]
            self.hit.emit(PackedInt64Array(hits.projectiles), Array(there), PackedVector2Array(hits.positions))
        if len(caught.projectiles):
            self.caught.emit(PackedInt64Array(caught.projectiles))
        if len(expired):
            self.expired.emit(PackedInt64Array(expired))

    def _grid_rebuilt(self) -> None:
        self._seen = ()

    def _restored(self) -> None:
        batch = self._batch
        if batch is not None and not any(other is batch for other in self._grid._world.batches):
            batch.clear()
            self._grid._world.take_projectiles(batch)
        if self._drawing is not None:
            self._drawing.restart()
            self._drawing.forget_fillings()

    # --- for both planes

    def _shoot(self, places: Points, velocities: Points) -> PackedInt64Array:
        return PackedInt64Array(self._need_batch().spawn(places, velocities))

    @method
    @told
    def remove(self, projectiles: PackedInt64Array) -> int:
        """Take projectiles out; those that are gone already are passed over. Returns how many there were."""
        return self._need_batch().despawn(projectiles.view())

    @method
    @told
    def clear(self) -> None:
        """Take all projectiles out."""
        self._need_batch().clear()

    @method(const=True)
    @told
    def get_count(self) -> int:
        """Projectiles that are there."""
        return self._need_batch().count

    @method(const=True)
    @told
    def get_held_count(self) -> int:
        """Projectiles that gravity wells hold."""
        return int(np.count_nonzero(self._need_batch().held))

    @method(const=True)
    @told
    def get_projectiles(self) -> PackedInt64Array:
        """All that are there; get_positions() and get_velocities() have the same order."""
        return PackedInt64Array(self._need_batch().handles)

    @method(const=True)
    def get_multimesh(self) -> Annotated[GodotObject, "MultiMesh"] | None:
        """The multi-mesh that draws the projectiles; null before the node is ready. Its buffer is rewritten each tick."""
        return None if self._drawing is None else self._drawing.multimesh

    def _there(self, points: Points) -> Points:
        return np.ascontiguousarray(points[self._need_batch().alive])


def missile_mesh(is_flat: bool) -> Any:
    """What a projectile looks like as long as nobody chose: a dart of length 1, a bright head and a tail that fades."""
    points: list[tuple[float, float, float]]
    if is_flat:
        points = [(0.5, 0, 0), (0.12, 0.16, 0), (-0.5, 0, 0), (0.12, -0.16, 0)]
        colors = [(1, 1, 1, 1), (1, 0.9, 0.65, 1), (1, 0.5, 0.2, 0), (1, 0.9, 0.65, 1)]
        faces = [0, 1, 2, 0, 2, 3]
    else:
        points = [(0, 0, -0.5), (0.13, 0, 0.1), (0, 0.13, 0.1), (-0.13, 0, 0.1), (0, -0.13, 0.1), (0, 0, 0.5)]
        colors = [(1, 1, 1, 1)] + [(1, 0.85, 0.5, 1)] * 4 + [(1, 0.45, 0.15, 1)]
        faces = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4]
    mesh = engine.ArrayMesh()
    arrays: list[Any] = [None] * int(engine.Mesh.ARRAY_MAX)
    arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(points)
    arrays[engine.Mesh.ARRAY_COLOR] = PackedColorArray(colors)
    arrays[engine.Mesh.ARRAY_INDEX] = PackedInt32Array(faces)
    mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
    if not is_flat:
        material = engine.StandardMaterial3D()
        material.shading_mode = engine.BaseMaterial3D.SHADING_MODE_UNSHADED
        material.vertex_color_use_as_albedo = True
        material.cull_mode = engine.BaseMaterial3D.CULL_DISABLED
        mesh.surface_set_material(0, material)
    return mesh
