extends RefCounted
## What the command line asks for, after `--`: see HELP.

const HELP := "known arguments are --units N, --ticks N, --map FILE, --report FILE, --screenshot FILE, --threads T, --seed S, --goal X,Y, --view X,Y,TILE_PIXELS"

var units := 0
var ticks := 0  ## 0: play on
var map := ""
var report := ""
var screenshot := ""
var threads := 0  ## 0: as many as the machine has
var seed := 0
var has_goal := false
var goal := Vector2i.ZERO
var has_view := false
var view := Vector2.ZERO  ## tiles
var view_tile_pixels := 4.0
var error := ""  ## empty: all is well


## `default_units`: as many as there are where nobody says otherwise.
func _init(words: PackedStringArray, default_units: int) -> void:
	units = default_units
	var index := 0
	while index < words.size() and error.is_empty():
		var word := words[index]
		var value := ""
		if word.begins_with("--") and word.contains("="):
			value = word.substr(word.find("=") + 1)
			word = word.substr(0, word.find("="))
		elif index + 1 < words.size():
			index += 1
			value = words[index]
		else:
			value = ""
		index += 1
		_read(word, value)


func _read(word: String, value: String) -> void:
	match word:
		"--units":
			units = _whole(word, value, 1, 1_000_000)
		"--ticks":
			ticks = _whole(word, value, 1, 100_000_000)
		"--threads":
			threads = _whole(word, value, 1, 256)
		"--seed":
			seed = _whole(word, value, 0, 2_147_483_647)
		"--map":
			map = _path(word, value)
			if error.is_empty() and not FileAccess.file_exists(map):
				error = "%s: there is no file %s" % [word, value]
		"--report":
			report = _path(word, value)
		"--screenshot":
			screenshot = _path(word, value)
			if error.is_empty() and screenshot.get_extension().to_lower() != "png":
				error = "%s: expected a name that ends in .png, got %s" % [word, value]
		"--goal":
			has_goal = true
			goal = Vector2i(_numbers(word, value, 2, "X,Y in tiles"))
		"--view":
			has_view = true
			var pair := value.rsplit(",", true, 1)
			view = _numbers(word, pair[0], 2, "X,Y,TILE_PIXELS")
			if error.is_empty() and (pair.size() < 2 or not pair[1].is_valid_float() or float(pair[1]) <= 0.0):
				error = "%s: expected X,Y,TILE_PIXELS, got %s" % [word, value]
			elif error.is_empty():
				view_tile_pixels = float(pair[1])
		_:
			error = "unknown argument %s; %s" % [word, HELP]


func _whole(word: String, value: String, least: int, most: int) -> int:
	if not value.is_valid_int() or int(value) < least or int(value) > most:
		error = "%s: expected a whole number from %d to %d, got %s" % [word, least, most, _shown(value)]
		return 0
	return int(value)


func _numbers(word: String, value: String, count: int, what: String) -> Vector2:
	var parts := value.split(",")
	if parts.size() != count or not parts[0].is_valid_float() or not parts[1].is_valid_float():
		error = "%s: expected %s, got %s" % [word, what, _shown(value)]
		return Vector2.ZERO
	return Vector2(float(parts[0]), float(parts[1]))


func _path(word: String, value: String) -> String:
	if value.is_empty() or value.begins_with("--"):
		error = "%s: expected a file name, got %s" % [word, _shown(value)]
		return ""
	return value


func _shown(value: String) -> String:
	return "nothing" if value.is_empty() else value
