"""The timeline of the debugger tab: what each tick took, and the jobs that were under way."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Color, PackedVector2Array, Rect2, Vector2, engine

from .game_record import MapRecord, lanes_of

_TICK_PIXELS = 4.0
_LEFT, _TOP, _GAP = 56.0, 8.0, 26.0
_GROUND = Color(0.12, 0.12, 0.13)  # in light themes too, so that all other colours hold
_WORK, _OVER, _TOTAL = Color(0.36, 0.62, 1.0), Color(1.0, 0.62, 0.2), Color(0.6, 0.6, 0.65, 0.35)
_BUDGET, _GRID, _TEXT = Color(1.0, 0.85, 0.4, 0.9), Color(0.5, 0.5, 0.55, 0.25), Color(0.7, 0.7, 0.74)
_WAIT, _RUN, _LATE = Color(0.55, 0.55, 0.6, 0.45), Color(0.35, 0.75, 0.55), Color(1.0, 0.45, 0.3)
_NOTHING = ("Run a game with a map in it:", "FlowFieldMap2D or FlowFieldMap3D.")
LEGEND = (
    ("whole tick", _TOTAL), ("work on fields", _WORK), ("over budget", _OVER), ("budget", _BUDGET),
    ("job waits", _WAIT), ("job under way", _RUN), ("late", _LATE),
)  # fmt: skip


class JobTimeline:
    """Draws a record of a running game on a Control of its own."""

    def __init__(self) -> None:
        self.record: MapRecord | None = None
        self.control = engine.Control()
        self.control.clip_contents = True
        self.control.connect("draw", self._draw)

    def _draw(self) -> None:
        width, height = self.control.size
        self.control.draw_rect(Rect2(Vector2(), Vector2(width, height)), _GROUND)
        record = self.record
        if record is None or not record.ticks:
            for line, text in enumerate(_NOTHING):
                self._text(Vector2(_TOP, 30.0 + 20.0 * line), text, _TEXT, 14)
            return
        upper = (height - _TOP - _GAP) * 0.5
        first = max(record.ticks[-1].tick - int((width - _LEFT - 8.0) / _TICK_PIXELS), 0)
        self._draw_ticks(record, first, upper)
        self._draw_jobs(record, first, _TOP + upper + _GAP, height)

    def _x(self, tick: float, first: int) -> float:
        return _LEFT + (tick - first) * _TICK_PIXELS

    def _text(self, at: Vector2, text: str, colour: Color, size: int = 12) -> None:
        self.control.draw_string(self.control.get_theme_default_font(), at, text, 0, -1, size, colour)

    def _draw_ticks(self, record: MapRecord, first: int, height: float) -> None:
        seen = [row for row in record.ticks if row.tick >= first]
        # One tick that took long (a map was made) must not flatten all others: it goes out at the top.
        usual = sorted(row.total_us for row in seen)[int(0.95 * (len(seen) - 1))]
        most = max(1.5 * usual, 1.25 * max(row.budget_us for row in seen), 1.0)
        bottom, scale = _TOP + height, height / most
        step = _round_step(most)
        for number in range(1, int(most / step) + 1):
            y = bottom - number * step * scale
            self.control.draw_line(Vector2(_LEFT, y), Vector2(self.control.size.x, y), _GRID)
            self._text(Vector2(4.0, y + 4.0), f"{number * step / 1000:g} ms", _TEXT)
        wide = _TICK_PIXELS - 1.0
        for row in seen:
            x = self._x(row.tick, first)
            tall = min(row.total_us * scale, height)
            self.control.draw_rect(Rect2(Vector2(x, bottom - tall), Vector2(wide, tall)), _TOTAL)
            if row.fields_us > 0.0:
                tall = min(max(row.fields_us * scale, 1.5), height)
                colour = _OVER if row.fields_us > row.budget_us else _WORK
                self.control.draw_rect(Rect2(Vector2(x, bottom - tall), Vector2(wide, tall)), colour)
        points = [(self._x(row.tick, first), bottom - row.budget_us * scale) for row in seen]
        if len(points) > 1:
            self.control.draw_polyline(PackedVector2Array(points), _BUDGET, 1.5)
        self.control.draw_line(Vector2(_LEFT, bottom), Vector2(self.control.size.x, bottom), _TEXT)
        for tick in range(first + -first % 60, record.ticks[-1].tick + 1, 60):
            x = self._x(tick, first)
            self.control.draw_line(Vector2(x, bottom), Vector2(x, self.control.size.y), _GRID)
            self._text(Vector2(x + 3.0, bottom + 14.0), f"tick {tick:,}", _TEXT)

    def _draw_jobs(self, record: MapRecord, first: int, top: float, bottom: float) -> None:
        jobs = [job for job in record.jobs if job.published >= first]
        lanes = lanes_of(jobs)
        self._text(Vector2(4.0, top + 14.0), "Jobs", _TEXT)
        if not jobs:
            return
        tall = min(max((bottom - top - 4.0) / (max(lanes) + 1), 3.0), 14.0)
        for job, lane in zip(jobs, lanes, strict=True):
            y = top + 2.0 + lane * tall
            if y + tall > bottom:
                continue
            start, begun, end = (max(self._x(t, first), _LEFT) for t in (job.submitted, job.begun, job.published))
            self.control.draw_rect(Rect2(Vector2(start, y + tall * 0.35), Vector2(max(begun - start, 0.0), tall * 0.3)), _WAIT)
            colour = _LATE if job.late_slices else _RUN
            self.control.draw_rect(Rect2(Vector2(begun, y + 1.0), Vector2(max(end - begun, 2.0), tall - 2.0)), colour)


def _round_step(most: float) -> float:
    """A step of 1, 2 or 5 times a power of ten, so that two to five lines are drawn."""
    step = 1.0
    while most / step > 5.0:
        for factor in (1.0, 2.0, 5.0):
            if most / (step * factor) <= 5.0:
                return step * factor
        step *= 10.0
    return step


def legend() -> Any:
    """A row that says what the colours mean."""
    row = engine.HFlowContainer()
    for text, colour in LEGEND:
        patch, label = engine.ColorRect(), engine.Label()
        patch.color = Color(colour.r, colour.g, colour.b, max(colour.a, 0.6))
        patch.custom_minimum_size = (10, 10)
        patch.size_flags_vertical = engine.Control.SIZE_SHRINK_CENTER
        label.text = text + "  "
        label.modulate = (1.0, 1.0, 1.0, 0.85)
        pair = engine.HBoxContainer()
        pair.add_theme_constant_override("separation", 6)
        pair.add_child(patch)
        pair.add_child(label)
        row.add_child(pair)
    return row
