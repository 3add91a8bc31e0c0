extends "res://scenes/shared/run_arguments.gd"
## What the command line asks for: of what demos know, what has a meaning here.

const OWN: Array[String] = ["--ticks", "--seed", "--report", "--screenshot"]


func _init(words: PackedStringArray) -> void:
	super(words, 1)


func _read(word: String, value: String) -> void:
	if word in OWN:
		super(word, value)
	else:
		error = "unknown argument %s; known here are %s" % [word, ", ".join(OWN)]
