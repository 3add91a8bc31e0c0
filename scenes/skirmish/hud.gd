extends "../shared/hud_parts.gd"
## What the player reads and presses: the keep and the wave, supplies, who is selected, the card of commands, the minimap, words that come up.

const CardButton := preload("card_button.gd")
const Commander := preload("commander.gd")
const Kinds := preload("unit_kinds.gd")
const Works := preload("works.gd")

const WHISPER_SECONDS := 2.2

var game: Node2D
var commander: Commander

var _strength: ProgressBar
var _buttons: Dictionary[StringName, CardButton] = {}
var _rows: Array[Control] = []  ## of the selected, by kind
var _selection: PanelContainer
var _nobody: Label
var _whisper: Label
var _whisper_tween: Tween
var _end: Control


func _ready() -> void:
	_make_vignette()
	_make_keep_panel()
	_make_realm_panel()
	_make_engine_panel()
	_make_selection_panel()
	_make_card()
	_make_minimap(Vector2(224, 142))
	(minimap.get_parent() as Control).mouse_filter = Control.MOUSE_FILTER_STOP
	_make_banner()
	_make_whisper()


## Everything that changes, from the state of the game.
func refresh() -> void:
	var work: Works.Work = game.works.get_keep()
	var share: float = work.health / work.most
	var wait: float = game.waves.get_wait()
	var left: int = game.waves.count_left()
	_labels["title"].text = "WAVE %d OF %d" % [game.waves.number, game.waves.SHARES.size()] if game.waves.number > 0 else "BEFORE THE STORM"
	_strength.value = share
	(_strength.get_theme_stylebox(&"fill") as StyleBoxFlat).bg_color = EMBER.lerp(BLUE, smoothstep(0.15, 0.6, share))
	_labels["sentence"].text = _sentence(left, wait, share)
	_labels["supplies"].text = grouped(int(game.supplies))
	_labels["army"].text = grouped(game.army.count())
	_labels["foes"].text = grouped(left)
	_labels["slain"].text = grouped(game.battle.killed)
	_labels["lost"].text = grouped(game.battle.lost)
	var stats: Dictionary = game.map.get_stats()
	_labels["tick"].text = "%.1f ms" % stats.get("tick_ms", 0.0)
	_labels["frames"].text = "%d" % int(Engine.get_frames_per_second())
	_labels["speed"].text = "paused" if get_tree().paused else "x%s" % String.num(game.SPEEDS[game.speed], 1)
	_show_selected()
	_buttons[&"tower"].is_lit = commander.mode == Commander.Mode.TOWER
	_buttons[&"wall"].is_lit = commander.mode == Commander.Mode.WALL
	_buttons[&"attack"].is_lit = commander.mode == Commander.Mode.ATTACK
	_buttons[&"patrol"].is_lit = commander.mode == Commander.Mode.PATROL
	_buttons[&"follow"].is_lit = commander.mode == Commander.Mode.FOLLOW
	if _buttons.has(&"march"):
		_buttons[&"march"].is_lit = commander.is_marching
	_enable(&"tower", game.supplies >= Works.PRICE[Works.TOWER])
	_enable(&"wall", game.supplies >= Works.PRICE[Works.WALL])
	for kind in game.army.corps.size():
		_enable(StringName(Kinds.all()[kind].title), game.supplies >= game.get_price(kind))
	for order: StringName in game.army.get_orders():
		if _buttons.has(order):
			_enable(order, game.army.count_selected() > 0)


func _sentence(left: int, wait: float, share: float) -> String:
	if game.is_over:
		return "the keep stands: press R to play again" if game.is_won else "the keep has fallen: press R to stand again"
	if share < 0.999 and game.battle.tick - game.works.get_keep().hit < 90:
		return "raiders ram the gate of the keep!"
	if game.waves.number == 0 or (left == 0 and wait >= 0.0):
		return "the next raiders come in %d s  (N: now)" % ceili(wait)
	return "%s raiders are left" % grouped(left)


func _enable(sign_name: StringName, is_enabled: bool) -> void:
	var button := _buttons[sign_name]
	if button.disabled == is_enabled:
		button.disabled = not is_enabled
		button.queue_redraw()


func _show_selected() -> void:
	var total := 0
	for kind in _rows.size():
		var ids: PackedInt32Array = game.army.selected[kind]
		_rows[kind].visible = not ids.is_empty()
		total += ids.size()
		if ids.is_empty():
			continue
		var health := 0.0
		for id in ids:
			health += game.army.corps[kind].health[id]
		_labels["count_%d" % kind].text = str(ids.size())
		(_rows[kind].get_meta(&"bar") as ProgressBar).value = health / (ids.size() * game.army.corps[kind].kind.health)
	_nobody.visible = total == 0
	_labels["selected"].text = "%s SELECTED" % grouped(total) if total > 0 else "NOBODY SELECTED"


## A short line near the bottom: why something can't be done.
func whisper(text: String) -> void:
	_whisper.text = text
	if _whisper_tween != null:
		_whisper_tween.kill()
	_whisper.modulate.a = 1.0
	_whisper_tween = create_tween()
	_whisper_tween.tween_interval(WHISPER_SECONDS)
	_whisper_tween.tween_property(_whisper, "modulate:a", 0.0, 0.5)


func show_end(is_won: bool) -> void:
	_end = ColorRect.new()
	(_end as ColorRect).color = Color(0.03, 0.04, 0.06, 0.55)
	_end.set_anchors_preset(Control.PRESET_FULL_RECT)
	add_child(_end)
	var middle := CenterContainer.new()
	middle.set_anchors_preset(Control.PRESET_FULL_RECT)
	_end.add_child(middle)
	var box := VBoxContainer.new()
	box.add_theme_constant_override(&"separation", 8)
	middle.add_child(box)
	var lines: Array = [
		["VICTORY" if is_won else "THE KEEP HAS FALLEN", 52, GOLD if is_won else EMBER],
		["the last raiders flee beyond the river" if is_won else "it held out until wave %d" % game.waves.number, 20, PARCHMENT],
		["%s slain, %s of yours lost" % [grouped(game.battle.killed), grouped(game.battle.lost)], 16, FAINT],
	]
	for line: Array in lines:
		var label := _plain(line[0], line[1], line[2])
		label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
		label.add_theme_constant_override(&"outline_size", 8)
		label.add_theme_color_override(&"font_outline_color", Color(0.06, 0.05, 0.05, 0.85))
		box.add_child(label)
	var again := Button.new()
	again.text = "  play again (R)  "
	again.focus_mode = Control.FOCUS_NONE
	again.size_flags_horizontal = Control.SIZE_SHRINK_CENTER
	again.pressed.connect(game.restart)
	box.add_child(again)
	_end.modulate.a = 0.0
	create_tween().tween_property(_end, "modulate:a", 1.0, 1.2)


func _make_keep_panel() -> void:
	var panel := _panel(Control.PRESET_CENTER_TOP, Vector2(-190, 12), Vector2(380, 0))
	var box := _column(panel, 3)
	_text(box, "title", 18, GOLD).horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	_strength = _bar(box, 12, BLUE)
	_text(box, "sentence", 13, PARCHMENT).horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER


func _make_realm_panel() -> void:
	var panel := _panel(Control.PRESET_TOP_LEFT, Vector2(14, 12), Vector2(168, 0))
	var box := _column(panel, 1)
	_heading(box, "YOUR REALM")
	_pair(box, "supplies", "supplies", GOLD)
	_pair(box, "army", "army", BLUE)
	_pair(box, "raiders", "foes", EMBER)
	_pair(box, "slain", "slain", PARCHMENT)
	_pair(box, "lost", "lost", PARCHMENT)


func _make_engine_panel() -> void:
	var panel := _panel(Control.PRESET_TOP_RIGHT, Vector2(-164, 12), Vector2(150, 0))
	var box := _column(panel, 1)
	_heading(box, "ENGINE ROOM")
	_pair(box, "tick", "tick", PARCHMENT)
	_pair(box, "frames a second", "frames", PARCHMENT)
	_pair(box, "speed  - +", "speed", PARCHMENT)


func _make_selection_panel() -> void:
	_selection = _panel(Control.PRESET_BOTTOM_LEFT, Vector2(14, -134), Vector2(330, 120))
	_selection.grow_vertical = Control.GROW_DIRECTION_BEGIN
	_selection.mouse_filter = Control.MOUSE_FILTER_STOP
	var box := _column(_selection, 4)
	_text(box, "selected", 11, Color(GOLD, 0.85))
	var line := HBoxContainer.new()
	line.add_theme_constant_override(&"separation", 6)
	line.mouse_filter = Control.MOUSE_FILTER_IGNORE
	box.add_child(line)
	for kind in game.army.corps.size():
		_rows.append(_make_selected_kind(line, kind))
	_nobody = _plain("Drag a box over your units, or click one.\nTwice: all of its kind.  Tab: everybody.\nCtrl 0-9 keeps a group, 0-9 calls it.", 12, FAINT)
	box.add_child(_nobody)


# A portrait with count and mean health; a click keeps this kind alone.
func _make_selected_kind(line: Control, kind: int) -> Control:
	var column := VBoxContainer.new()
	column.add_theme_constant_override(&"separation", 2)
	line.add_child(column)
	var button := CardButton.new(&"", "", "%s: a click keeps these alone selected" % Kinds.all()[kind].plural)
	button.custom_minimum_size = Vector2(70, 58)
	var picture := CardButton.make_portrait(Kinds.all()[kind], 50.0)
	picture.position = Vector2(10, 4)
	button.add_child(picture)
	button.pressed.connect(func() -> void: game.command(&"kind", [kind]))
	column.add_child(button)
	var bar := _bar(column, 5, GREEN)
	column.set_meta(&"bar", bar)
	var label := _text(column, "count_%d" % kind, 14, PARCHMENT)
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	return column


func _make_card() -> void:
	var panel := _panel(Control.PRESET_CENTER_BOTTOM, Vector2(-262, -134), Vector2(280, 120))
	panel.offset_left = -266
	panel.grow_vertical = Control.GROW_DIRECTION_BEGIN
	panel.mouse_filter = Control.MOUSE_FILTER_STOP
	var rows := _column(panel, 5)
	var orders := _card_row(rows)
	for order: Array in _order_cards():
		if order[0] in game.army.get_orders():
			_add_card(orders, order[0], order[1], order[2], order[3])
	var gap := Control.new()
	gap.custom_minimum_size.x = 8
	orders.add_child(gap)
	_add_card(orders, &"tower", "T", "Tower (T): %d supplies. Shoots at raiders in reach.\nShift keeps building." % Works.PRICE[Works.TOWER],
		func() -> void: commander.set_mode(Commander.Mode.TOWER), str(Works.PRICE[Works.TOWER]))
	_add_card(orders, &"wall", "W", "Wall (W): %d supplies a tile. Drag a line; a way must stay open.\nShift keeps building." % Works.PRICE[Works.WALL],
		func() -> void: commander.set_mode(Commander.Mode.WALL), str(Works.PRICE[Works.WALL]))
	var recruits := _card_row(rows)
	if game.army.can_form():
		_add_card(orders, &"march", "M", "March (M): drag the right button to draw up a formation, the wheel spaces it.\nLit: they keep their places on the way; else each runs to its own.",
			func() -> void: commander.is_marching = not commander.is_marching)
		orders.move_child(_buttons[&"march"], _order_cards().size())
	for kind: int in game.army.corps.size():
		var found := Kinds.all()[kind]
		var words := "%d %s (F%d): %d supplies. They come to the keep." % [game.BATCH[kind], found.plural if game.BATCH[kind] > 1 else found.title, kind + 1, game.get_price(kind)]
		_add_card(recruits, StringName(found.title), "F%d" % (kind + 1), words, func() -> void: game.command(&"recruit", [kind]), str(game.get_price(kind)))
		_buttons[StringName(found.title)].show_kind(found, 32.0)


func _order_cards() -> Array[Array]:
	return [
		[&"attack", "A", "Attack (A), then a click: go there and turn on raiders in sight.\nShift: after what they were told before.",
			func() -> void: commander.set_mode(Commander.Mode.ATTACK)],
		[&"patrol", "P", "Patrol (P), then a click: to and fro, turning on raiders in sight.",
			func() -> void: commander.set_mode(Commander.Mode.PATROL)],
		[&"follow", "F", "Follow (F), then a click on one of your own: stay close to it.\nWhoever follows strikes only who comes within reach.",
			func() -> void: commander.set_mode(Commander.Mode.FOLLOW)],
		[&"hold", "H", "Hold (H): stand fast, and nobody pushes you aside.\nThey strike who comes within reach and follow nobody.",
			func() -> void: game.command(&"hold", [])],
		[&"stop", "S", "Stop (S): forget all orders; meet raiders in sight.", func() -> void: game.command(&"stop", [])],
	]


func _card_row(rows: Control) -> HBoxContainer:
	var row := HBoxContainer.new()
	row.add_theme_constant_override(&"separation", 5)
	row.mouse_filter = Control.MOUSE_FILTER_IGNORE
	rows.add_child(row)
	return row


func _add_card(row: Control, sign_name: StringName, key: String, words: String, does: Callable, below := "") -> void:
	var button := CardButton.new(sign_name, key, words)
	button.below = below
	button.pressed.connect(does)
	row.add_child(button)
	_buttons[sign_name] = button


func _make_whisper() -> void:
	_whisper = _plain("", 16, Color(1.0, 0.72, 0.55))
	_whisper.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	_whisper.add_theme_constant_override(&"outline_size", 6)
	_whisper.add_theme_color_override(&"font_outline_color", Color(0.06, 0.05, 0.05, 0.9))
	_whisper.set_anchors_preset(Control.PRESET_CENTER_BOTTOM)
	_whisper.offset_left = -400
	_whisper.offset_right = 400
	_whisper.offset_top = -176
	_whisper.offset_bottom = -150
	_whisper.modulate.a = 0.0
	add_child(_whisper)
