"""What HomingGrid2D and HomingGrid3D share: the world of the core, its members, the tick, questions."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    Color,
    GatheredAnswers,
    GodotObject,
    NodePath,
    PackedByteArray,
    Rect2,
    Vector2,
    Vector2i,
    engine,
    export,
    is_editor,
    is_valid,
    load,
    method,
)
from pynav.homing import FieldSettings, GridBox, HomingWorld

from .. import live_warnings
from ..live_figures import HomingLiveFigures, hide_in_editor
from ..project_settings import use_threads
from ..telling import USER_ERRORS, NodeError, label, tell, told
from .field_preview import FieldPreview
from .field_shapes import StrengthTexture, field_arrows
from .homing_bodies import SteeredBodies

MOST_SIDE = 4096
_MOST_LINES = 128
_SMOOTH_CELLS = 65_536  # up to so many cells the glow is made anew each tick

Points = npt.NDArray[np.float32]


class HomingGrid(HomingLiveFigures, GodotObject, register=False):
    """Base of both grid nodes."""

    DIMENSIONS = 0

    class FarField(IntEnum):
        """What the cells of the grid know."""

        RELAXED = 0
        EXACT = 1

    class Reading(IntEnum):
        """Which of the two versions of the article's update is taken."""

        PAGE = 0
        ENGINE = 1

    cell_count: Vector2i = export(Vector2i(32, 18), "Cells along both sides of the area.", changed="_settings_changed")
    marker_minimum: NodePath = export(
        NodePath(""),
        "Node at one corner of the area; with the other marker it takes the place of `area`.",
        changed="_settings_changed",
    )
    marker_maximum: NodePath = export(NodePath(""), "Node at the opposite corner.", changed="_settings_changed")
    far_field: FarField = export(
        FarField.RELAXED,
        "Relaxed: strengths flow from cell to cell, coarse and fair, out to some seventy cells. Exact: each cell knows its "
        "nearest target at any distance; strengths are then for the glow and your eyes alone.",
        group="Field",
        changed="_settings_changed",
    )
    reading: Reading = export(
        Reading.PAGE,
        "Page: a source adds its power. Engine: its power times its distance to the middle of the cell plus one, and it directs "
        "its own cell.",
        group="Field",
        changed="_settings_changed",
    )
    updates_per_second: float = export(
        10.0,
        "How often the field is made anew; 0: every tick.",
        range=(0.0, 240.0, 0.1),
        group="Field",
        changed="_settings_changed",
    )
    sweeps_per_update: int = export(
        6,
        "Sweeps of the relaxed field in an update: how fast strengths spread.",
        range=(1, 64),
        group="Field",
        changed="_settings_changed",
    )
    gain: float = export(
        8.0,
        "Strength that a source of power 1 adds in a sweep.",
        range=(0.0, 1000.0, 0.1),
        group="Field",
        changed="_settings_changed",
    )
    decay: float = export(
        0.49, "What is left of strengths after a sweep.", range=(0.0, 0.5, 0.001), group="Field", changed="_settings_changed"
    )
    share: float = export(
        0.25,
        "What a cell takes of each neighbour's strength in a sweep.",
        range=(0.0, 0.25, 0.001),
        group="Field",
        changed="_settings_changed",
    )
    padding_cells: int = export(
        4,
        "Cells beyond each border that strengths flow through, unseen: without them the border bends the arrows next to it.",
        range=(0, 64),
        group="Field",
        changed="_settings_changed",
    )
    interpolated: bool = export(
        True, "Pass smoothly from one update's directions to the next's.", group="Field", changed="_settings_changed"
    )
    sight_cells: int = export(
        1,
        "How many cells away projectiles see a target itself, instead of following arrows; 0: in its own cell alone.",
        range=(0, 8),
        group="Field",
        changed="_settings_changed",
    )
    weakest_arrow: float = export(
        0.0,
        "Arrows that are weaker point nowhere. 0: none; the article's page asks for 0.01, which reaches some eighteen cells.",
        range=(0.0, 1.0, 0.0001, "or_greater"),
        group="Field",
        changed="_settings_changed",
    )
    inline_work: int = export(
        -1,
        "Cells times sweeps (three a cell for exact fields) up to which the field is updated at once, in the tick; larger ones "
        "are updated by the background thread, and serve four ticks later. -1: up to where that was measured to pay, 130,000 "
        "for relaxed fields and 60,000 for exact ones.",
        range=(-1, 10_000_000, 1, "or_greater"),
        group="Field",
        changed="_settings_changed",
    )
    show_glow: bool = export(
        False,
        "Let the ground glow where sources are strong. In the editor too, as with `debug_draw`.",
        group="Glow",
        changed="_look_changed",
    )
    glow_color: Color = export(Color(1.0, 0.72, 0.2, 1.0), "Colour of the glow.", group="Glow", changed="_look_changed")
    glow_gain: float = export(
        0.15, "How bright the glow is.", range=(0.0, 100.0, 0.01, "or_greater"), group="Glow", changed="_look_changed"
    )
    glow_edge: float = export(
        2.0,
        "Cells inside the area's border over which the glow fades out; 0: it ends at the border.",
        range=(0.0, 16.0, 0.1, "or_greater"),
        group="Glow",
        changed="_look_changed",
    )
    glow_type: int = export(0, "Type of the sources that glow.", range=(0, 7), group="Glow", changed="_look_changed")
    debug_draw: bool = export(
        False,
        "Draw an arrow in each cell, pale blue where the field is weak to magenta where it is strong. In the editor too, as the "
        "field would settle with the sources of the scene (up to 16,384 cells).",
        group="Debug",
        changed="_look_changed",
    )
    debug_type: int = export(0, "Type of the field that is drawn.", range=(0, 7), group="Debug", changed="_look_changed")
    debug_range: Vector2 = export(
        Vector2(), "Strengths that are pale blue and magenta; equal: the weakest and the strongest of the moment.", group="Debug"
    )

    def __init__(self) -> None:
        self._world: HomingWorld | None = None
        self._swarms: dict[int, Any] = {}  # nodes of projectiles by id()
        self._bodies = SteeredBodies(self)
        self._sources: dict[int, Any] = {}  # nodes of sources, disabled ones too, by id()
        self._source_of: dict[int, Any] = {}  # those that are on the grid, by slot
        self._source_ids: npt.NDArray[np.uint64] = np.zeros(64, np.uint64)  # their instance ids, by slot
        self._places: GatheredAnswers | None = None
        self._lost: set[int] = set()  # slots of sources that stand nowhere, told once
        self._texture = StrengthTexture()
        self._glow: Any = None
        self._glow_material: Any = None
        self._arrows_for: Any = None
        self._preview: FieldPreview | None = None  # in the editor, while its arrows are shown

    def validate_property(self, info: Any) -> None:
        """Figures are for running games."""
        hide_in_editor(info)

    # --- what the subclasses say

    def _area(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Two opposite corners in this node's plane."""
        raise NotImplementedError

    def _flat(self, place: Any) -> tuple[float, float]:
        """A global place in this node's plane."""
        raise NotImplementedError

    def _flat_places(self, places: Points) -> Points:
        """The same for many: (n, 2) of global places (n, 2) or (n, 3)."""
        raise NotImplementedError

    def _flat_velocities(self, velocities: Points) -> Points:
        """Velocities in space, (n, 2) or (n, 3), in this node's plane: (n, 2)."""
        raise NotImplementedError

    def _velocities_in_space(self, flat: Points, now: Points) -> Points:
        """The reverse; ``now``: velocities in space, of which stays what is upright to the plane."""
        raise NotImplementedError

    def _make_glow(self, material: Any) -> Any:
        """A child, to be added, that shows a shader over the area."""
        raise NotImplementedError

    def _place_glow(self, glow: Any, texture: Any, box: GridBox) -> None:
        raise NotImplementedError

    def _show_arrows(self, mesh: Any) -> None:
        raise NotImplementedError

    def _preview_changed(self) -> None:
        """What the editor shows has changed."""
        raise NotImplementedError

    # --- the editor

    def _show_in_editor(self) -> None:
        wanted = (self.debug_draw or self.show_glow) and self.is_inside_tree()
        if wanted and self._preview is None:
            self._preview = FieldPreview(self)
        elif not wanted and self._preview is not None:
            self._preview.close()
            self._preview = None
        self._preview_made()

    def _preview_made(self) -> None:
        """Show what the preview has."""
        strength = None if self._preview is None else self._preview.strength
        if strength is None or not self.show_glow:
            self._drop_glow()
        else:
            self._let_glow(self._box(), strength)
        self._preview_changed()

    def _preview_mesh(self) -> Any:
        return self._preview.mesh if self._preview is not None and self.debug_draw else None

    def _sources_in_editor(self) -> list[Any]:
        root = self.get_tree().edited_scene_root
        kind = "HomingSource2D" if self._is_flat() else "HomingSource3D"
        found = [] if root is None else list(root.find_children("*", kind, True, False))
        return [source for source in found if not source.disabled and source._find_grid() is self]

    def _editor_lines(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Pairs of points of the border, and of the lines between cells; none of these where they would be too many."""
        try:
            box = self._box()
        except USER_ERRORS:
            return [], []
        (left, top), (right, bottom) = box.low, box.high
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        border = [corner for index in range(4) for corner in (corners[index], corners[(index + 1) % 4])]
        lines: list[tuple[float, float]] = []
        if max(box.columns, box.rows) <= _MOST_LINES:
            width, height = box.cell_size
            for column in range(1, box.columns):
                lines += [(left + column * width, top), (left + column * width, bottom)]
            for row in range(1, box.rows):
                lines += [(left, top + row * height), (right, top + row * height)]
        return border, lines

    # --- life

    def _ready(self) -> None:
        self.set_physics_process(not is_editor())

    def _enter_tree(self) -> None:
        if is_editor():
            live_warnings.watch(self)
            self._show_in_editor()

    def _exit_tree(self) -> None:
        if self._preview is not None:
            self._preview.close()
            self._preview = None
        if is_editor():
            live_warnings.forget(self)
        else:
            for member in self._all_members():
                if is_valid(member):
                    member._grid_gone()
            self._swarms, self._sources = {}, {}

    def _get_configuration_warnings(self) -> list[str]:
        try:
            self._box()
            self._field_settings()
        except USER_ERRORS as error:
            return [f"{error}."]
        return self._marker_problems()

    def _marker_problems(self) -> list[str]:
        """Markers that don't come in a pair, or are not there."""
        found = []
        if bool(self.marker_minimum) != bool(self.marker_maximum):
            found.append("One marker alone says nothing, `area` holds: set `marker_minimum` and `marker_maximum`, or none.")
        for name in ("marker_minimum", "marker_maximum"):
            path = getattr(self, name)
            if path and self.is_inside_tree() and self.get_node_or_null(path) is None:
                found.append(f"`{name}`: there is no node {path}. Choose another one, or clear it: until then `area` holds.")
        return found

    def _settings_changed(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
            self._show_in_editor()
        elif self._world is not None:
            self._rebuild()

    def _look_changed(self) -> None:
        if is_editor():
            self._show_in_editor()
            return
        self._arrows_for = None
        if not self.show_glow:
            self._drop_glow()
        if not self.debug_draw:
            self._show_arrows(None)

    # --- the world

    def _box(self) -> GridBox:
        columns, rows = (int(count) for count in self.cell_count)
        if not (1 <= columns <= MOST_SIDE and 1 <= rows <= MOST_SIDE):
            raise NodeError(f"cell_count must be from 1 to {MOST_SIDE} along both sides, got {columns} x {rows}")
        return GridBox.between(*self._area(), columns, rows)

    def _marker_places(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        if not self.marker_minimum or not self.marker_maximum or not self.is_inside_tree():
            return None
        one, other = self.get_node_or_null(self.marker_minimum), self.get_node_or_null(self.marker_maximum)
        if one is None or other is None:
            return None
        return self._flat(one.global_position), self._flat(other.global_position)

    def _field_settings(self) -> FieldSettings:
        return FieldSettings(
            mode="exact" if int(self.far_field) == self.FarField.EXACT else "relaxed",
            reading="engine" if int(self.reading) == self.Reading.ENGINE else "page",
            gain=self.gain, decay=self.decay, share=self.share, padding=int(self.padding_cells),
            sweeps=self.sweeps_per_update, updates_per_second=self.updates_per_second, interpolated=self.interpolated,
            sight_cells=self.sight_cells, weakest=self.weakest_arrow,
            inline_work=None if int(self.inline_work) < 0 else int(self.inline_work),
        )  # fmt: skip

    def _need_world(self) -> HomingWorld:
        if is_editor():
            raise NodeError("the grid idles in the editor")
        if self._world is None:
            use_threads(0)
            self._world = HomingWorld(self._box(), self._field_settings())
        return self._world

    def _rebuild(self) -> None:
        """The same sources and projectiles on a grid made anew; told where the properties don't allow one."""
        try:
            made = HomingWorld(self._box(), self._field_settings())
        except USER_ERRORS as error:
            tell(self, error)
            return
        old, self._world = self._world, made
        assert old is not None
        for batch in old.batches:
            batch.release(np.flatnonzero(batch.held))
            made.take_projectiles(batch)
        self._source_of = {}
        for member in [*self._swarms.values(), *self._sources.values()]:
            member._grid_rebuilt()
        self._arrows_for = None

    def _all_members(self) -> list[Any]:
        return [*self._swarms.values(), *self._bodies.nodes.values(), *self._sources.values()]

    # --- the tick

    def _physics_process(self, delta: float) -> None:
        try:
            world = self._need_world()
        except USER_ERRORS as error:
            tell(self, error)
            self.set_physics_process(False)
            return
        self._move_sources(world)
        if delta > 0.0:
            self._bodies.before_tick()
            world.step(delta)
            self._bodies.after_tick(delta)
        for swarm in list(self._swarms.values()):
            if is_valid(swarm):
                swarm._after_tick(delta)
        self._tell_hits(world)
        self._bodies.drop_empty(world)
        self._look()

    def _source_added(self, slot: int, source: Any) -> None:
        self._source_of[slot] = source
        if slot >= len(self._source_ids):
            more = np.zeros(2 * slot - len(self._source_ids), np.uint64)
            self._source_ids = np.concatenate([self._source_ids, more])
        self._source_ids[slot] = source.get_instance_id()
        self._lost.discard(slot)

    def _move_sources(self, world: HomingWorld) -> None:
        """Say where all sources are now, read in one call."""
        if not self._source_of:
            return
        if self._places is None:
            self._places = GatheredAnswers(next(iter(self._source_of.values())), "get_global_position")
        slots = world.sources.slots
        try:
            places = self._flat_places(self._places.ask(self._source_ids[slots]))
        except ZeroDivisionError:  # the grid is scaled to nothing
            return
        there = np.isfinite(places).all(axis=1)
        if not there.all():
            for slot in slots[~there].tolist():
                if slot not in self._lost:
                    self._lost.add(slot)
                    error = NodeError(
                        f"expected a global_position of finite numbers, got {self._source_of[slot].global_position}"
                    )
                    tell(self._source_of[slot], error)
            slots, places = slots[there], places[there]
        world.sources.move_slots(slots, places)

    def _tell_hits(self, world: HomingWorld) -> None:
        for batch in world.batches:
            hits, caught, expired = batch.take_hits(), batch.take_caught(), batch.take_expired()
            if not (len(hits.projectiles) or len(caught.projectiles) or len(expired)):
                continue
            sources = [self._source_of.get(int(slot)) for slot in hits.targets]
            self._bodies.happened(batch, sources, hits, caught, expired)
            for swarm in list(self._swarms.values()):
                if is_valid(swarm):
                    swarm._happened(batch, hits, sources, caught, expired)
            counts: dict[int, int] = {}
            for slot in hits.targets:
                counts[int(slot)] = counts.get(int(slot), 0) + 1
            for slot, count in counts.items():
                source = self._source_of.get(slot)
                if source is not None and is_valid(source):
                    source.hit.emit(count)

    def _look(self) -> None:
        world = self._world
        if world is None or not self.is_visible_in_tree():
            return
        if self.show_glow:
            smooth = world.box.cell_count <= _SMOOTH_CELLS
            self._let_glow(world.box, world.strength(self.glow_type, blended=smooth))
        if self.debug_draw:
            shown = world.published(self.debug_type)
            if shown is not self._arrows_for:
                self._arrows_for = shown
                self._show_arrows(field_arrows(world, self.debug_type, tuple(self.debug_range), self._is_flat()))

    def _drop_glow(self) -> None:
        if self._glow is not None:
            self._glow.queue_free()
            self._glow = None

    def _let_glow(self, box: GridBox, strength: npt.NDArray[np.float32]) -> None:
        if self._glow is None:
            self._glow_material = engine.ShaderMaterial()
            self._glow_material.shader = load(self._glow_shader())
            self._glow = self._make_glow(self._glow_material)
            self.add_child(self._glow, False, 2)  # INTERNAL_MODE_BACK
        material = self._glow_material
        material.set_shader_parameter("glow_color", self.glow_color)
        material.set_shader_parameter("gain", self.glow_gain)
        material.set_shader_parameter("edge_cells", self.glow_edge)
        texture = self._texture.show(strength)
        material.set_shader_parameter("strength", texture)
        self._place_glow(self._glow, texture, box)

    def _glow_shader(self) -> str:
        raise NotImplementedError

    def _is_flat(self) -> bool:
        raise NotImplementedError

    # --- for both planes

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())

    @method(const=True)
    @told
    def get_box(self) -> Rect2:
        """The area that the grid covers, in its own plane."""
        box = self._box()
        return Rect2(Vector2(*box.low), Vector2(*box.size))

    @method
    @told
    def get_strength_texture(self, type: int = 0) -> Annotated[GodotObject, "ImageTexture"] | None:
        """The strength as a texture, one pixel a cell, red alone (half floats); made anew at each call, always the same object.
        For your own shaders; `addons/pynav/shaders` has two to start from.
        """
        return self._texture.show(self._need_world().strength(type, blended=True))  # type: ignore[no-any-return]

    @method
    @told
    def save_state(self) -> PackedByteArray:
        """All state of grid, sources and projectiles as bytes."""
        return PackedByteArray(np.frombuffer(self._need_world().save(), np.uint8))

    @method
    @told
    def restore_state(self, state: PackedByteArray) -> bool:
        """Go back to a saved state. Sources and projectiles whose nodes were freed since are left out, with a warning; what came
        since stays. False, and told, if the bytes are no state.
        """
        world = self._need_world()
        world.restore(bytes(state.view()))
        for member in [*self._swarms.values(), *self._sources.values()]:
            member._restored()
        self._bodies.restored(world)
        self._leave_out_strays(world)
        return True

    def _leave_out_strays(self, world: HomingWorld) -> None:
        """Take out what a restored state has and no node stands for any more."""
        stray = [slot for slot in world.sources.slots if int(slot) not in self._source_of]
        world.remove_sources(world.sources.handles(np.array(stray, np.int64)))
        owned = {id(swarm._batch) for swarm in self._swarms.values()}
        owned |= {id(group.batch) for group in self._bodies.groups.values()}
        gone = [batch for batch in world.batches if id(batch) not in owned]
        for batch in gone:
            world.remove_projectiles(batch)
        swarms = sum(not batch.of_bodies for batch in gone)
        if stray or swarms:
            engine.push_warning(
                f"{label(self)}: the saved state has {len(stray)} sources and {swarms} swarms of projectiles whose nodes "
                "are gone; they are left out"
            )

    @method(const=True)
    @told
    def get_state_hash(self) -> str:
        """Hash of all state: equal for equal states, on every number of threads."""
        return self._need_world().state_hash()
