extends RefCounted
## What a run leaves behind: the figures of its ticks, and a picture. Names of files come from the command line.


static func write(arguments: RefCounted, map: Node, goal: Vector2i) -> void:
	var report: Dictionary = map.get_report()
	report["map"] = arguments.map.get_file() if not arguments.map.is_empty() else "keep"
	report["goal"] = [goal.x, goal.y]
	report["seed"] = arguments.seed
	var file := FileAccess.open(arguments.report, FileAccess.WRITE)
	if file == null:
		printerr("horde: could not write the report %s: %s" % [arguments.report, error_string(FileAccess.get_open_error())])
		return
	file.store_string(JSON.stringify(report, "  ") + "\n")
	file.close()
	print("horde: report %s" % arguments.report)


## Only the last frame of a run for a picture is wanted: software drawing takes far longer than the ticks.
static func stop_drawing() -> void:
	RenderingServer.render_loop_enabled = false


static func write_screenshot(viewport: Viewport, path: String) -> void:
	RenderingServer.render_loop_enabled = true
	for frame in 3:
		await RenderingServer.frame_post_draw
	var failed := viewport.get_texture().get_image().save_png(path)
	if failed == OK:
		print("horde: screenshot %s" % path)
	else:
		printerr("horde: could not write the screenshot %s: %s" % [path, error_string(failed)])
