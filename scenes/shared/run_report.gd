extends RefCounted
## What a run leaves behind: the figures of its ticks, and a picture. Names of files come from the command line.


## `demo` is who speaks.
static func write(demo: String, report: Dictionary, path: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		printerr("%s: could not write the report %s: %s" % [demo, path, error_string(FileAccess.get_open_error())])
		return
	file.store_string(JSON.stringify(report, "  ") + "\n")
	file.close()
	print("%s: report %s" % [demo, path])


## Only the last frame of a run for a picture is wanted: software drawing takes far longer than the ticks.
static func stop_drawing() -> void:
	RenderingServer.render_loop_enabled = false


static func write_screenshot(demo: String, viewport: Viewport, path: String) -> void:
	RenderingServer.render_loop_enabled = true
	for frame in 3:
		await RenderingServer.frame_post_draw
	var failed := viewport.get_texture().get_image().save_png(path)
	if failed == OK:
		print("%s: screenshot %s" % [demo, path])
	else:
		printerr("%s: could not write the screenshot %s: %s" % [demo, path, error_string(failed)])
