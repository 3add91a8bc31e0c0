extends RefCounted
## What a run leaves behind: its figures, and a picture. Names of files come from the command line.


static func write(game: Node2D) -> void:
	var report := {
		ticks = game.ticks, seed = game.arguments.seed, score = game.score, wave = game.waves.number, killed = game.killed,
		shot = game.shot, hits = game.hits, flames = game.ship.flames, over = game.over, bugs = game.swarm.bugs.size(),
		fireflies = game.fireflies.get_count(), state_hash = game.grid.get_state_hash(),
	}
	var file := FileAccess.open(game.arguments.report, FileAccess.WRITE)
	if file == null:
		printerr("homing: could not write the report %s: %s" % [game.arguments.report, error_string(FileAccess.get_open_error())])
		return
	file.store_string(JSON.stringify(report, "  ") + "\n")
	file.close()
	print("homing: report %s" % game.arguments.report)


static func write_screenshot(viewport: Viewport, path: String) -> void:
	await RenderingServer.frame_post_draw
	var failed := viewport.get_texture().get_image().save_png(path)
	if failed == OK:
		print("homing: screenshot %s" % path)
	else:
		printerr("homing: could not write the screenshot %s: %s" % [path, error_string(failed)])
