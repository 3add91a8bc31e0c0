extends "../shared/run_arguments.gd"
## The arguments of every demo, and two for playbooks.

var record := ""
var replay := ""


func _read(word: String, value: String) -> void:
	match word:
		"--record":
			record = _path(word, value)
		"--replay":
			replay = _path(word, value)
			if error.is_empty() and not FileAccess.file_exists(replay):
				error = "%s: there is no file %s" % [word, value]
		"--map", "--goal":
			error = "%s: the skirmish has a land of its own" % word
		_:
			super(word, value)
