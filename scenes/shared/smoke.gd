extends RefCounted
## Fire that turns to smoke: for whatever burns.


static func make(where: Vector2) -> CPUParticles2D:
	var smoke := CPUParticles2D.new()
	var dot := GradientTexture2D.new()
	dot.fill = GradientTexture2D.FILL_RADIAL
	dot.fill_from = Vector2(0.5, 0.5)
	dot.fill_to = Vector2(1.0, 0.5)
	dot.width = 32
	dot.height = 32
	dot.gradient = Gradient.new()
	dot.gradient.colors = PackedColorArray([Color.WHITE, Color(1, 1, 1, 0)])
	smoke.texture = dot
	smoke.position = where
	smoke.amount = 26
	smoke.lifetime = 2.6
	smoke.emitting = false
	smoke.direction = Vector2(0.35, -1)
	smoke.spread = 14.0
	smoke.gravity = Vector2(6, -14)
	smoke.initial_velocity_min = 14.0
	smoke.initial_velocity_max = 30.0
	smoke.scale_amount_min = 0.35
	smoke.scale_amount_max = 0.8
	var growth := Curve.new()
	growth.add_point(Vector2(0, 0.35))
	growth.add_point(Vector2(1, 1.0))
	smoke.scale_amount_curve = growth
	var colors := Gradient.new()
	colors.offsets = PackedFloat32Array([0.0, 0.12, 0.30, 1.0])
	colors.colors = PackedColorArray(
		[Color(1.0, 0.85, 0.35, 0.9), Color(0.98, 0.42, 0.12, 0.8), Color(0.17, 0.15, 0.15, 0.55), Color(0.25, 0.24, 0.24, 0.0)]
	)
	smoke.color_ramp = colors
	return smoke
