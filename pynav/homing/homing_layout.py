"""Rows of the tables of sources and projectiles, and what their numbers mean. Kernels and classes share them."""

# Sources, float32: where they are now, where they were a tick ago, velocity, strength and sign, how near counts as a hit,
# how far a repeller or a well is felt, radius within which a well catches (0: no well), its pull.
SOURCE_X, SOURCE_Y, OLD_X, OLD_Y, SOURCE_VX, SOURCE_VY, POWER, RADIUS, REACH, CAPTURE, PULL = range(11)
SOURCE_VALUES = 11
# Sources, int32.
SOURCE_TYPE, SOURCE_ALIVE, DENSE, SOURCE_GENERATION = range(4)
SOURCE_TAGS = 4

# Projectiles, float32: LIFE is what is left of it in seconds, OMEGA the frequency of the spring of the well that holds it, ASTRAY
# how long it flew elsewhere than at what it makes for, in turns of its turning circle.
X, Y, VX, VY, LIFE, OMEGA, ASTRAY = range(7)
PROJECTILE_VALUES = 7
# Projectiles, int32: TARGET is the slot of what was hit, or of the well that holds it.
STATE, TARGET, GENERATION, FRESH = range(4)
PROJECTILE_TAGS = 4
DEAD, FLYING, HELD = range(3)
NO_EVENT, HIT, EXPIRED, CAUGHT = range(4)

# What a tick's kernel needs of the batch, float32. TURN: of its turning circle in a tick; TIGHTENING: of its path, a turn astray.
THRUST, DAMPING, TOP_SPEED, SNAP_SQUARED, HIT_RADIUS, LEAD, DELTA, BLEND, TURN, PATIENCE, TIGHTENING = range(11)
TICK_SETTINGS = 11
# The box, float32: a corner, cells a unit, buckets a unit.
START_X, START_Y, CELLS_X, CELLS_Y, BUCKETS_X, BUCKETS_Y = range(6)
BOX_NUMBERS = 6
# Counts and switches, int64.
TYPE, IS_EXACT, IS_BILINEAR, COLUMNS, ROWS, BUCKET_COLUMNS, BUCKET_ROWS, HAS_REPELLERS, HAS_WELLS, HAS_NOTES = range(10)
TICK_NUMBERS = 10

# What a tick's projectiles need to know of a cell, float32: a direction, or the place of a target (IS_PLACE is 1) and of another
# that is as likely the nearer one, the same where there is none; and the circle that a projectile's way must lead through to hit
# or feel something: the square of its radius is below 0 where nothing can be.
NOTE_X, NOTE_Y, IS_PLACE, OTHER_X, OTHER_Y, NEAR_X, NEAR_Y, NEAR_SQUARED = range(8)
CELL_NOTES = 8

# What a projectile needs to know of a target in its bucket, float32, beside the source's slot: where it was, how it moves in this
# tick, its radius, the square of how near a projectile must be to touch it in this tick (below 0: it is no target), its type.
TOUCH_X, TOUCH_Y, TOUCH_MOVE_X, TOUCH_MOVE_Y, TOUCH_RADIUS, TOUCH_SQUARED, TOUCH_TYPE = range(7)
TOUCH_VALUES = 8

# Projectiles are pushed in strips; each block of them has room for one: place, velocity, the notes of the cell, whether it flies,
# and as whole numbers the cell and who is left for a closer look.
STRIP = 64
STRIP_VALUES = 14
STRIP_NUMBERS = 2
STRIP_BLOCK = 2_048

SLOT_BITS = 32
