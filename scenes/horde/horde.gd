extends Node2D
## The demo: 65,535 raiders stream over a map to a keep, and the player's walls send them another way.
##
## The heavy work is the addon's: `Map` (FlowFieldMap2D) holds the tiles, `Horde` (FlowFieldCrowd2D) the agents and their picture. This script
## wires the game around them: arguments, camera, brush, keep, waves, what the player reads, and the report of a measured run.

const RunArguments := preload("run_arguments.gd")
const Land := preload("land.gd")
const Keep := preload("keep.gd")
const Brush := preload("brush.gd")
const Siege := preload("siege.gd")
const MapCamera := preload("camera.gd")
const Hud := preload("hud.gd")

const HUD_SECONDS := 0.2
const SCOUT_FRAMES := 4  ## positions are looked at every so many frames
const SCOUTS := 900  ## and so many of them each time
const KEEP_HALF := 7  ## tiles around the goal that belong to the keep
const SPEEDS: Array[float] = [0.25, 0.5, 1.0, 2.0, 4.0]

@onready var map: Node = $Map
@onready var horde: Node = $Horde
@onready var camera: MapCamera = $Camera

var arguments: RunArguments
var ticks := 0

var _land: Land
var _keep: Keep
var _brush: Brush
var _siege: Siege
var _hud: Hud
var _shown := false  ## there is a display to draw on
var _ready_to_play := false
var _ended := false
var _arrived_before := 0
var _hud_wait := 0.0
var _speed := 2
var _scout := 0
var _scout_round := 0
