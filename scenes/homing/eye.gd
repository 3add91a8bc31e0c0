extends Camera2D
## Sees the whole court, leans a little after the lantern, and shakes.

const LEAN := 0.045
const EASE := 5.0
const CALM := 1.7  ## how fast a shake dies, a second
const MOST_SHAKE := 22.0  ## px

var _middle := Vector2.ZERO
var _trauma := 0.0
var _time := 0.0
var _noise := FastNoiseLite.new()


func watch(bounds: Rect2) -> void:
	_middle = bounds.get_center()
	position = _middle
	_noise.frequency = 1.0
	_fit(bounds)
	get_viewport().size_changed.connect(_fit.bind(bounds))


func shake(amount: float) -> void:
	_trauma = minf(_trauma + amount, 1.0)


func show_picture(delta: float, lantern: Vector2) -> void:
	_time += delta
	_trauma = maxf(_trauma - CALM * delta, 0.0)
	position = position.lerp(_middle + (lantern - _middle) * LEAN, minf(EASE * delta, 1.0))
	var strength := _trauma * _trauma * MOST_SHAKE
	offset = Vector2(_noise.get_noise_2d(_time * 22.0, 0.0), _noise.get_noise_2d(0.0, _time * 22.0)) * strength * 1.6


func _fit(bounds: Rect2) -> void:
	var view := get_viewport_rect().size
	zoom = Vector2.ONE * minf(view.x / bounds.size.x, view.y / bounds.size.y)
