extends RefCounted
## What the player told the game, by tick: recorded while it is played, and played again from a file.
##
## A line a command, JSON: {"tick": 120, "do": "box", "with": [...]}. Places are pixels of the map, so a playbook knows nothing of cameras.
## All else (who comes, who falls, what is built and razed) follows from the commands and the seed. To show that it does, the hash of the
## whole game is noted every ten seconds too, as "state": a replay that comes to another one says at which tick.

const STATE := &"state"
const STATE_TICKS := 600

var error := ""

var _lines: Array[Dictionary] = []
var _next := 0


## Takes up a file. `error` says what is wrong with it.
func read(path: String) -> void:
	var text := FileAccess.get_file_as_string(path)
	var number := 0
	var last := 0
	for line in text.split("\n", false):
		number += 1
		var found: Variant = JSON.parse_string(line)
		if not found is Dictionary or not found.has("tick") or not found.has("do") or not found.get("with") is Array:
			error = "%s, line %d: expected {\"tick\": N, \"do\": NAME, \"with\": [...]}, got %s" % [path.get_file(), number, line.left(80)]
			return
		if int(found.tick) < last:
			error = "%s, line %d: expected ticks in rising order, got %d after %d" % [path.get_file(), number, int(found.tick), last]
			return
		last = int(found.tick)
		_lines.append(found)


func note(tick: int, what: StringName, with: Array) -> void:
	_lines.append({"tick": tick, "do": String(what), "with": with})


## The commands of this tick: pairs of name and values.
func take(tick: int) -> Array[Array]:
	var due: Array[Array] = []
	while _next < _lines.size() and int(_lines[_next].tick) <= tick:
		due.append([StringName(_lines[_next].do), _lines[_next].with])
		_next += 1
	return due


func write(path: String) -> bool:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return false
	for line in _lines:
		file.store_line(JSON.stringify(line, "", false, true))  # all digits: a place that is rounded is another place
	return true


## Commands, without the states.
func count() -> int:
	return _lines.reduce(func(found: int, line: Dictionary) -> int: return found + int(line.do != STATE), 0)


## How often the state was noted.
func count_states() -> int:
	return _lines.size() - count()
