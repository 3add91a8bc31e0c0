extends RefCounted
## What kinds of units there are: what they look like, how they walk and how they fight. Lengths in pixels, times in ticks of the physics.

const RAIDER_SHEET := preload("../shared/art/units.png")
const SOLDIER_SHEET := preload("art/soldier.png")
const PIKEMAN_SHEET := preload("art/pikeman.png")
const ARCHER_SHEET := preload("art/archer.png")
const CATAPULT_SHEET := preload("art/catapult.png")
const BRUTE_SHEET := preload("art/brute.png")

enum { SOLDIER, PIKEMAN, ARCHER, CATAPULT, RAIDER, RUNNER, BRUTE }

class Kind:
	var title := ""
	var plural := ""
	var sheet: Texture2D
	var columns := 12  ## of the sheet: 8 steps, and 4 of a strike where there are 12
	var livery := 0  ## colours, as the units' shader numbers them
	var figure_tiles := 1.7
	var speed := 56.0  ## a second
	var radius := 5.0
	var health := 50.0
	var damage := 10.0
	var reach := 15.0  ## between the edges of two units, or the range of a missile
	var least_reach := 0.0  ## whoever is nearer can't be hit
	var cooldown := 50
	var missile_speed := 0.0  ## 0: it strikes by hand
	var blast := 0.0  ## radius of a stone's blow
	var row := 0  ## where it stands in a formation: 0 is the front
	var price := 0  ## supplies for one
	var sight := 120.0  ## how far it looks for foes when it attacks

static var _all: Array[Kind] = []


static func all() -> Array[Kind]:
	if _all.is_empty():
		_all = [_soldier(), _pikeman(), _archer(), _catapult(), _raider(), _runner(), _brute()]
	return _all


static func _soldier() -> Kind:
	var kind := Kind.new()
	kind.title = "soldier"
	kind.plural = "soldiers"
	kind.sheet = SOLDIER_SHEET
	kind.speed = 56.0
	kind.radius = 5.2
	kind.health = 70.0
	kind.damage = 11.0
	kind.reach = 7.0
	kind.cooldown = 44
	kind.row = 1
	kind.price = 12
	return kind


static func _pikeman() -> Kind:
	var kind := Kind.new()
	kind.title = "pikeman"
	kind.plural = "pikemen"
	kind.sheet = PIKEMAN_SHEET
	kind.figure_tiles = 2.2
	kind.speed = 50.0
	kind.radius = 5.2
	kind.health = 54.0
	kind.damage = 13.0
	kind.reach = 17.0
	kind.cooldown = 54
	kind.row = 0
	kind.price = 14
	return kind


static func _archer() -> Kind:
	var kind := Kind.new()
	kind.title = "archer"
	kind.plural = "archers"
	kind.sheet = ARCHER_SHEET
	kind.livery = 1
	kind.figure_tiles = 1.65
	kind.speed = 62.0
	kind.radius = 4.8
	kind.health = 32.0
	kind.damage = 9.0
	kind.reach = 176.0
	kind.cooldown = 84
	kind.missile_speed = 300.0
	kind.row = 2
	kind.price = 16
	kind.sight = 240.0
	return kind


static func _catapult() -> Kind:
	var kind := Kind.new()
	kind.title = "catapult"
	kind.plural = "catapults"
	kind.sheet = CATAPULT_SHEET
	kind.livery = 0
	kind.figure_tiles = 3.6
	kind.speed = 30.0
	kind.radius = 13.0
	kind.health = 160.0
	kind.damage = 46.0
	kind.reach = 330.0
	kind.least_reach = 70.0
	kind.cooldown = 270
	kind.missile_speed = 190.0
	kind.blast = 34.0
	kind.row = 3
	kind.price = 120
	kind.sight = 360.0
	return kind


static func _raider() -> Kind:
	var kind := Kind.new()
	kind.title = "raider"
	kind.plural = "raiders"
	kind.sheet = RAIDER_SHEET
	kind.columns = 8
	kind.livery = 2
	kind.speed = 52.0
	kind.health = 34.0
	kind.damage = 6.0
	kind.reach = 7.0
	kind.cooldown = 52
	return kind


static func _runner() -> Kind:
	var kind := Kind.new()
	kind.title = "outrider"
	kind.plural = "outriders"
	kind.sheet = RAIDER_SHEET
	kind.columns = 8
	kind.livery = 3
	kind.figure_tiles = 1.55
	kind.speed = 84.0
	kind.radius = 4.6
	kind.health = 22.0
	kind.damage = 5.0
	kind.reach = 7.0
	kind.cooldown = 38
	return kind


static func _brute() -> Kind:
	var kind := Kind.new()
	kind.title = "brute"
	kind.plural = "brutes"
	kind.sheet = BRUTE_SHEET
	kind.livery = 4
	kind.figure_tiles = 3.1
	kind.speed = 36.0
	kind.radius = 9.5
	kind.health = 340.0
	kind.damage = 28.0
	kind.reach = 10.0
	kind.cooldown = 84
	return kind
