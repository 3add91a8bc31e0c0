extends RefCounted
## What the command line asks for, after `--`: see HELP.

const HELP := "homing: known arguments are --ticks N, --report FILE, --screenshot FILE, --seed S"

var ticks := 0  ## 0: play on; else the pilot plays so many
var report := ""
var screenshot := ""
var seed := 0
var error := ""  ## empty: all is well


func _init(words: PackedStringArray) -> void:
	var index := 0
	while index < words.size() and error.is_empty():
		var word := words[index].get_slice("=", 0)
		var value := words[index].trim_prefix(word + "=")
		if not words[index].contains("="):
			index += 1
			value = words[index] if index < words.size() else ""
		index += 1
		_read(word, value)


func _read(word: String, value: String) -> void:
	match word:
		"--ticks":
			ticks = _whole(word, value, 1, 100_000_000)
		"--seed":
			seed = _whole(word, value, 0, 2_147_483_647)
		"--report":
			report = _path(word, value)
		"--screenshot":
			screenshot = _path(word, value)
			if error.is_empty() and screenshot.get_extension().to_lower() != "png":
				error = "%s: expected a name that ends in .png, got %s" % [word, value]
		_:
			error = "unknown argument %s; %s" % [word, HELP]


func _whole(word: String, value: String, least: int, most: int) -> int:
	if not value.is_valid_int() or int(value) < least or int(value) > most:
		error = "%s: expected a whole number from %d to %d, got %s" % [word, least, most, "nothing" if value.is_empty() else value]
		return 0
	return int(value)


func _path(word: String, value: String) -> String:
	if value.is_empty() or value.begins_with("--"):
		error = "%s: expected a file name, got %s" % [word, "nothing" if value.is_empty() else value]
		return ""
	return value
