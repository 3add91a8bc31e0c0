"""The tab of one session in the debugger: timeline, figures, slowest jobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import engine
from addons.pynav.nodes.game_reports import CHANNEL

from .game_record import MapRecord
from .job_timeline import JobTimeline, legend

_COLUMNS = ("Goal", "Ticks", "Waited", "Ran", "Work", "Late")
_TIPS = (
    "Tile that the field leads to.",
    "Ticks from the order to the tick in which its field served.",
    "Ticks in the queue, before it was begun.",
    "Ticks from its begin to its publication, which is fixed at the begin.",
    "Units of work, of about a microsecond each.",
    "Slices of work that the main thread had to finish: none on a machine that is fast enough.",
)
_GOAL_WIDTH, _COLUMN_WIDTH = 100, 54


class DebuggerTab:
    """What is seen of one running game.

    Args:
        session: the EditorDebuggerSession.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self.records: dict[str, MapRecord] = {}
        self.box = engine.VBoxContainer()
        self.box.name = "pynav"
        head = engine.HBoxContainer()
        self._choice = engine.OptionButton()
        self._choice.tooltip_text = "Map of the running game."
        self._choice.connect("item_selected", self._chosen)
        self._figures = engine.Label()
        self._figures.size_flags_horizontal = engine.Control.SIZE_EXPAND_FILL
        self._figures.clip_text = True
        head.add_child(self._choice)
        head.add_child(self._figures)
        self.box.add_child(head)
        self.box.add_child(legend())
        split = engine.HSplitContainer()
        split.size_flags_vertical = engine.Control.SIZE_EXPAND_FILL
        self.timeline = JobTimeline()
        chart = self.timeline.control
        chart.size_flags_horizontal = engine.Control.SIZE_EXPAND_FILL
        chart.size_flags_stretch_ratio = 1.7
        chart.custom_minimum_size = (300, 200)
        self._jobs = engine.Tree()
        self._jobs.size_flags_horizontal = engine.Control.SIZE_EXPAND_FILL
        self._jobs.columns, self._jobs.column_titles_visible, self._jobs.hide_root = len(_COLUMNS), True, True
        for number, (title, tip) in enumerate(zip(_COLUMNS, _TIPS, strict=True)):
            self._jobs.set_column_title(number, title)
            self._jobs.set_column_title_tooltip_text(number, tip)
            self._jobs.set_column_custom_minimum_width(number, _GOAL_WIDTH if number == 0 else _COLUMN_WIDTH)
        self._jobs.custom_minimum_size = (_GOAL_WIDTH + (len(_COLUMNS) - 1) * _COLUMN_WIDTH + 20, 0)  # no column is hidden
        split.add_child(chart)
        split.add_child(self._jobs)
        self.box.add_child(split)
        self.box.connect("visibility_changed", self.watch)
        session.connect("started", self._started)
        session.add_session_tab(self.box)

    def close(self) -> None:
        """The plugin leaves."""
        if self._session.is_active():
            self._session.send_message(f"{CHANNEL}:watch", [False])
        self._session.disconnect("started", self._started)
        self._session.remove_session_tab(self.box)
        self.box.queue_free()

    def _started(self) -> None:
        self.records.clear()
        self._choice.clear()
        self.watch()

    def watch(self) -> None:
        """A game sends only while its tab is seen."""
        if self._session.is_active():
            self._session.send_message(f"{CHANNEL}:watch", [bool(self.box.is_visible_in_tree())])

    def take(self, data: Any) -> None:
        """A message of the game: the map's name, its ticks and its jobs."""
        name = str(data[0])
        if name not in self.records:
            self.records[name] = MapRecord()
            self._choice.add_item(name)
        record = self.records[name]
        record.take(np.asarray(data[1].view()), np.asarray(data[2].view()))
        if self._choice.get_item_text(self._choice.selected) == name:
            self._show(record)

    def _chosen(self, index: int) -> None:
        self._show(self.records[self._choice.get_item_text(index)])

    def _show(self, record: MapRecord) -> None:
        last = record.ticks[-1]
        self._figures.text = (
            f"   tick {last.tick:,}   {last.agents:,} agents   {last.total_us / 1000:.2f} ms a tick   jobs: {last.waiting}"
        )
        self.timeline.record = record
        self.timeline.control.queue_redraw()
        self._jobs.clear()
        root = self._jobs.create_item()
        for job in record.slowest:
            item = self._jobs.create_item(root)
            texts = (
                f"({job.x}, {job.y})", f"{job.ticks}", f"{job.begun - job.submitted}", f"{job.published - job.begun}",
                f"{job.units:,}", f"{job.late_slices}" if job.late_slices else "-",
            )  # fmt: skip
            for number, text in enumerate(texts):
                item.set_text(number, text)
