extends "../shared/hud_parts.gd"
## What the player reads: the keep's strength and the wave, the horde's numbers, the engine room (tick time against its budget, queue of
## jobs, frames a second), the brush, the keys. Values are pushed in a few times a second; nothing is polled here.

const BUDGET_MS := 12.0

var _strength: ProgressBar
var _realm: PanelContainer
var _budget: ProgressBar
var _stones: Label
var _brush_dots: Control
var _brush_size := 3


func _ready() -> void:
	_make_vignette()
	_make_keep_panel()
	_make_horde_panel()
	_make_realm_panel()
	_make_engine_panel()
	_make_tool_panel()
	_make_minimap()
	_make_banner()


## The keep's panel: title (wave), sentence below, strength left 0..1.
func show_keep(title: String, sentence: String, strength: float) -> void:
	_labels["title"].text = title
	_labels["sentence"].text = sentence
	_strength.value = strength
	var fill := _strength.get_theme_stylebox(&"fill") as StyleBoxFlat
	fill.bg_color = EMBER.lerp(BLUE, smoothstep(0.15, 0.6, strength))


func show_horde(marching: int, arrived: int, total: int) -> void:
	_labels["marching"].text = grouped(marching)
	_labels["arrived"].text = grouped(arrived)
	_labels["total"].text = grouped(total)


## The player's side: villages that stand, raiders that the militia cut down.
func show_realm(standing: int, villages: int, slain: int) -> void:
	_realm.show()
	_labels["villages"].text = "%d of %d" % [standing, villages]
	_labels["slain"].text = grouped(slain)


## Men of the militia, and what they do.
func show_militia(men: int, state: String) -> void:
	_labels["men"].text = grouped(men)
	_labels["state"].text = state


func show_engine(stats: Dictionary, frames: int, speed: float) -> void:
	var tick_ms: float = stats.get("tick_ms", 0.0)
	_labels["jobs"].text = "%d" % stats.get("jobs_queued", 0)
	_labels["threads"].text = "%d" % stats.get("threads", 0)
	_labels["tick"].text = "%.1f ms" % tick_ms
	_labels["frames"].text = "%d" % frames
	_labels["speed"].text = "paused" if speed == 0.0 else "x%s" % String.num(speed, 2)
	_budget.value = tick_ms / BUDGET_MS
	var fill := _budget.get_theme_stylebox(&"fill") as StyleBoxFlat
	fill.bg_color = GREEN if tick_ms < BUDGET_MS * 0.6 else (GOLD if tick_ms < BUDGET_MS else EMBER)


## What the work on fields took in its worst tick since this was last shown, and how many searches were late.
func show_jobs(worst_ms: float, late: int) -> void:
	_labels["fields"].text = "%.1f ms" % worst_ms
	_labels["late"].text = "%d" % late


func show_brush(tiles: int, stones: int, endless: bool) -> void:
	_stones.text = "endless" if endless else grouped(stones)
	_labels["brush"].text = "%d" % tiles
	if tiles != _brush_size:
		_brush_size = tiles
		_brush_dots.queue_redraw()


func _make_keep_panel() -> void:
	var panel := _panel(Control.PRESET_CENTER_TOP, Vector2(-210, 12), Vector2(420, 0))
	var box := _column(panel, 3)
	var title := _text(box, "title", 19, GOLD)
	title.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	_strength = _bar(box, 13, BLUE)
	var sentence := _text(box, "sentence", 13, PARCHMENT)
	sentence.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER


func _make_horde_panel() -> void:
	var panel := _panel(Control.PRESET_TOP_LEFT, Vector2(14, 12), Vector2(178, 0))
	var box := _column(panel, 1)
	_heading(box, "THE HORDE")
	_pair(box, "on the march", "marching", EMBER)
	_pair(box, "at the gate", "arrived", PARCHMENT)
	_pair(box, "units", "total", PARCHMENT)


func _make_realm_panel() -> void:
	_realm = _panel(Control.PRESET_TOP_LEFT, Vector2(14, 116), Vector2(178, 0))
	_realm.hide()
	var box := _column(_realm, 1)
	_heading(box, "YOUR REALM")
	_pair(box, "villages", "villages", GOLD)
	_pair(box, "militia", "men", BLUE).text = "-"
	_pair(box, "its order", "state", PARCHMENT).text = "-"
	_pair(box, "raiders slain", "slain", PARCHMENT)


func _make_engine_panel() -> void:
	var panel := _panel(Control.PRESET_TOP_RIGHT, Vector2(-192, 12), Vector2(178, 0))
	var box := _column(panel, 1)
	_heading(box, "ENGINE ROOM")
	_pair(box, "tick", "tick", PARCHMENT)
	_budget = _bar(box, 6, GREEN)
	_budget.tooltip_text = "share of the budget of 12 ms"
	_pair(box, "frames a second", "frames", PARCHMENT)
	_pair(box, "jobs in the queue", "jobs", PARCHMENT)
	_pair(box, "work on fields", "fields", PARCHMENT)
	_pair(box, "jobs too late", "late", PARCHMENT)
	_pair(box, "threads", "threads", PARCHMENT)
	_pair(box, "speed", "speed", PARCHMENT)


func _make_tool_panel() -> void:
	var panel := _panel(Control.PRESET_BOTTOM_LEFT, Vector2(14, -84), Vector2(178, 70))
	panel.grow_vertical = Control.GROW_DIRECTION_BEGIN
	var row := HBoxContainer.new()
	row.add_theme_constant_override(&"separation", 12)
	row.mouse_filter = Control.MOUSE_FILTER_IGNORE
	panel.add_child(row)
	_brush_dots = Control.new()
	_brush_dots.custom_minimum_size = Vector2(48, 48)
	_brush_dots.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_brush_dots.draw.connect(_draw_brush)
	row.add_child(_brush_dots)
	var box := _column(row, 1)
	box.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_heading(box, "WALLS")
	_stones = _pair(box, "stones", "stones", GOLD)
	_pair(box, "brush", "brush", PARCHMENT)

	var keys := _panel(Control.PRESET_CENTER_BOTTOM, Vector2(-436, -44), Vector2(872, 30))
	keys.grow_vertical = Control.GROW_DIRECTION_BEGIN
	var line := HBoxContainer.new()
	line.alignment = BoxContainer.ALIGNMENT_CENTER
	line.add_theme_constant_override(&"separation", 6)
	line.mouse_filter = Control.MOUSE_FILTER_IGNORE
	keys.add_child(line)
	for pair: Array in [
		["LMB", "build"], ["RMB", "remove"], ["Q E", "brush"], ["SHIFT LMB", "send militia"], ["F", "find it"], ["WASD", "move"],
		["WHEEL", "zoom"], ["SPACE", "pause"], ["- +", "speed"],
	]:
		_key(line, pair[0])
		var label := _plain(pair[1], 12, FAINT)
		line.add_child(label)
		var gap := Control.new()
		gap.custom_minimum_size.x = 1
		line.add_child(gap)


func _draw_brush() -> void:
	var cells := mini(_brush_size, 12)
	var side := 44.0 / 12.0
	var middle := Vector2(cells - 1, cells - 1) / 2.0
	var start := Vector2(24, 24) - Vector2.ONE * cells * side / 2.0
	_brush_dots.draw_rect(Rect2(0, 0, 48, 48), Color(0, 0, 0, 0.35))
	for y in cells:
		for x in cells:
			if cells > 2 and Vector2(x, y).distance_to(middle) > cells / 2.0 + 0.05:
				continue
			_brush_dots.draw_rect(Rect2(start + Vector2(x, y) * side, Vector2.ONE * (side - 0.6)), Color(0.88, 0.83, 0.72))
