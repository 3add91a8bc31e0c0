"""The columns of the formation tables: which row of which array holds what.

A *place* is a slot of a formation that was ordered, and whoever is to stand there: a column of ``place_values`` (float32) and
``place_tags`` (int32). The places of a formation lie side by side, in the order of its slots: row by row from the front. A *row*
is a column of ``row_values`` and ``row_tags``, a formation one of ``formation_values`` and ``formation_tags``.
"""

from typing import Final

import numpy as np

# Rows of ``place_values``.
SLOT_X: Final = 0  # where its unit is to stand in the end, tiles
SLOT_Y: Final = 1
TARGET_X: Final = 2  # where it is to be now, tiles; the slot itself unless the formation marches
TARGET_Y: Final = 3
TARGET_VELOCITY_X: Final = 4  # of the target, tiles for each tile that the front goes
TARGET_VELOCITY_Y: Final = 5
PLACE_PATIENCE: Final = 6  # seconds without progress towards the target
FACE_X: Final = 7  # where its unit looks while that does not follow from its walk; (0, 0) while it does
FACE_Y: Final = 8
LAG: Final = 9  # tiles that the unit is behind its target along the way
LATE: Final = 10  # seconds for which it has been far behind and slow
IN_TIME: Final = 11  # seconds for which it has been where it should be
PACE: Final = 12  # tiles a second towards the target, averaged
UNIT_SPEED: Final = 13  # the unit's own top speed
STRETCH: Final = 14  # how much faster than the front its target goes, 1 on a straight way
TARGET_STATION: Final = 15  # of the target, tiles along the route
AT_X: Final = 16  # where the unit was when it was last steered
AT_Y: Final = 17
PLACE_FRONT: Final = 18  # where the front was when the target was worked out
PLACE_VALUE_COUNT: Final = 19

# Rows of ``place_tags``.
OWNER_CROWD: Final = 0
OWNER_ID: Final = 1  # within the crowd; -1: nobody
FORMATION: Final = 2  # its column; -1: the place is free
PLACE_ROW: Final = 3  # its column of the row table
FILE: Final = 4  # from the left, 0..
STANDING: Final = 5  # one of the numbers below
STATION: Final = 6  # of the route, nearest to the unit
SEES_TARGET: Final = 7  # 1: the unit goes straight for its target
PLACE_CLASS: Final = 8  # row class
PLACE_FILES: Final = 9  # files of a full row of its class
PLACE_TAG_COUNT: Final = 10

# What a unit does in its formation (STANDING).
COMING: Final = 0  # on its way to its place, or marching in it
SETTLED: Final = 1  # stands in its slot
DROPPED: Final = 2  # cannot keep up: the others don't wait for it, until it has been in its place for a while

# Rows of ``formation_values``.
FACING_X: Final = 0  # unit vector
FACING_Y: Final = 1
FRONT: Final = 2  # how far the front has come along the route, tiles
FRONT_END: Final = 3  # where it ends
FRONT_SPEED: Final = 4  # tiles a second, now
LEAST_SPEED: Final = 5  # tiles a second; slower units are not waited for
SLOWEST: Final = 6  # top speed of the slowest that counts
RATIO: Final = 7  # what of its speed the front may go at: less while units lag, and in bends
PLACE_OFFSET: Final = 8  # what its places lie right and below of those of its layer
FORMATION_VALUE_COUNT: Final = 9

# Rows of ``formation_tags``.
STAGE: Final = 0  # one of the numbers below
FIRST_PLACE: Final = 1
PLACE_COUNT: Final = 2
FIRST_ROW: Final = 3
ROW_COUNT: Final = 4
FIRST_STATION: Final = 5
STATION_COUNT: Final = 6
PRESENT: Final = 7  # units that are there, written by the pass
SETTLED_COUNT: Final = 8  # of these
DROPPED_COUNT: Final = 9
DEAD_COUNT: Final = 10  # places whose unit has died since somebody looked
FACES_ALWAYS: Final = 11  # 1: units keep looking along the facing while they walk (a retreat)
WALK_LAYER: Final = 12  # the layer of its largest units
WHOLE: Final = 13  # of a cluster's march: the column of the whole formation plus 1; 0 of a whole one
FORMATION_TAG_COUNT: Final = 14

# Rows of ``row_values``; rows are numbered in the order in which they march.
DEPTH: Final = 0  # tiles behind the front on open ground
PITCH: Final = 1  # tiles from file to file on open ground
LANE: Final = 2  # the same where it is narrow
ROW_STATION: Final = 3  # tiles along the route
ROW_STATION_AHEAD: Final = 4  # where it will be when the front is a little farther on
WAIT: Final = 5  # tiles that it holds back, for the row ahead
WAIT_GOAL: Final = 6  # what that is to become
ROW_VALUE_COUNT: Final = 7

# Rows of ``row_tags``.
ROW_FIRST_PLACE: Final = 0
ROW_FILES: Final = 1
IS_BEFORE: Final = 2  # 1: has no place on the route yet
ROW_CLASS: Final = 3  # row class of its units
ROW_TAG_COUNT: Final = 4

# Rows of ``station_values``: a station of a route every STATION_TILES.
STATION_TILES: Final = np.float32(0.25)
STATION_X: Final = 0  # tiles
STATION_Y: Final = 1
TANGENT_X: Final = 2  # unit vector along the route
TANGENT_Y: Final = 3
LO: Final = 4  # how far to the left (negative) a unit's middle may be
HI: Final = 5  # how far to the right
PROGRESS: Final = 6  # tiles of depth that rows have made up to here: less than the way where they draw apart
STATION_VALUE_COUNT: Final = 7
STATION_TAG_COUNT: Final = 1  # none in use

# What a formation does (STAGE).
UNUSED: Final = 0
RUNNING: Final = 1  # each unit runs along the flow and, over the last stretch, to its slot
MARCHING: Final = 2  # all keep their places around a front that goes along a route
