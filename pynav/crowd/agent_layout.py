"""The columns of the agent table: which row of which array holds what.

The table is a structure of arrays: ``values`` is float32 (VALUE_COUNT, capacity), ``tags`` is int32 (TAG_COUNT, capacity).
An agent is one column index; the index changes every tick, because the columns are kept in the order of the neighbour
grid's cells (an index indirection instead costs 1.7 times the whole tick, measured). What never changes while an agent
lives is its pair (crowd, id).
"""

from typing import Final

# Rows of ``values`` (float32).
POSITION_X: Final = 0  # tiles
POSITION_Y: Final = 1  # tiles
VELOCITY_X: Final = 2  # tiles a second
VELOCITY_Y: Final = 3
RADIUS: Final = 4  # tiles
SPEED: Final = 5  # tiles a second, the agent's own top speed
WISH_X: Final = 6  # the velocity that steering asked for last, tiles a second
WISH_Y: Final = 7
PATIENCE: Final = 8  # seconds without progress, 0..4
HEADING_X: Final = 9  # unit vector; kept while the agent stands
HEADING_Y: Final = 10
WALKED: Final = 11  # tiles walked, modulo WALKED_PERIOD: the phase of a walk animation
VALUE_COUNT: Final = 12

# Rows of ``tags`` (int32).
CROWD: Final = 0  # index of the crowd in the world
AGENT_ID: Final = 1  # id within the crowd
STATUS: Final = 2  # one of the numbers below
TARGET: Final = 3  # the tile of its route that it walks straight to (_string_pulling_kernels.py), 0 for none
GROUP: Final = 4  # index of the group whose goal it follows: its crowd's own, or that of a command
TAG_COUNT: Final = 5

# Status of an agent.
IDLE: Final = 0  # its group has no goal
WALKING: Final = 1  # on its way; straight for the goal until a flow leads there
ARRIVED: Final = 2  # stands at the goal, or in the crowd around it
UNREACHABLE: Final = 3  # no way to the goal from where it stands; sets off by itself once there is one
REMOVED: Final = 4  # leaves the table with the next sort
HOLDING: Final = 5  # stands, and nobody pushes it aside
ENGAGED: Final = 6  # stands before the foe that it has within its range

NO_EVENT: Final = 255  # in the pass's event bytes; any other value is the status that an agent has just taken

# What a crowd's agents do on arrival.
ON_ARRIVAL_STOP: Final = 0
ON_ARRIVAL_REMOVE: Final = 1

# Rows of the crowd table ``crowd_numbers`` (int32) and ``crowd_settings`` (float32): what its agents are like.
ON_ARRIVAL: Final = 0
FIRST_SLOT: Final = 1  # where the crowd's ids begin in the world's arrays in agent order
LAYER: Final = 2  # whose tiles its agents walk on (NavigationLayers)
TEAM: Final = 3  # 0..31
MASK_LAYERS: Final = 4  # bits of the layers that it is found on by questions
ENEMY_TEAMS: Final = 5  # bits of the teams that its agents attack; its own never counts
CROWD_NUMBER_COUNT: Final = 6
ARRIVE_RADIUS: Final = 0  # tiles
ANCHOR_OFFSET: Final = 1  # an agent's place in its layer's tiles is its position less this, in both axes (clearance.py)
WALL_RADIUS: Final = 2  # what of its radius reaches beyond the tiles that its size covers, tiles, 0 or more
SIGHT_RADIUS: Final = 3  # how far away attacking agents notice foes, tiles; 0: they don't
ATTACK_RANGE: Final = 4  # what may lie between the discs of an agent and of the foe that it strikes, tiles
HALF_SIZE: Final = 5  # half a tile less than half of its size: what its footprint reaches beyond the middle tile, tiles
CROWD_SETTING_COUNT: Final = 6

# Rows of the group table ``group_numbers`` (int32) and ``group_settings`` (float32): where agents are to go.
FLOW_SLOT: Final = 0  # index of the flow that the group follows, or one of the two below
FLOW_NONE: Final = -1  # none: no goal, or its field is still being built (agents brake)
FLOW_REFUSED: Final = -2  # none: no agent of the group stands where the goal can be reached from
HAS_GOAL: Final = 1
IS_STAND_IN: Final = 2  # 1: the flow leads to where the goal was, agents don't arrive there
NEXT_GROUP: Final = 3  # which group an agent goes over to when it arrives; -1: none
REST_STATUS: Final = 4  # status of its agents while it has no goal: IDLE or HOLDING
IS_COMMAND: Final = 5  # 1: a command's, whose agents stay where they arrive; 0: a crowd's own
IS_QUIET: Final = 6  # 1: nobody is told of arrivals
DESTINATION: Final = 7  # number of its goal, the same for all groups that go there, on whatever layer; 0: none
ATTACKS: Final = 8  # 1: its agents leave their way for foes
SETS_OFF: Final = 9  # 1: it was sent somewhere, or its flow has come, in this tick: all its agents get a wish
GROUP_NUMBER_COUNT: Final = 10
GOAL_X: Final = 0  # a goal among the tiles of its layer, for as long as no flow leads there
GOAL_Y: Final = 1
REACH: Final = 2  # largest arrive radius of its agents, tiles
LEAST_ARRIVE: Final = 3  # tiles from the goal within which anybody has arrived, whatever the own arrive radius
GROUP_SETTING_COUNT: Final = 4

# Bytes of a flow: 0..7 a direction (E, SE, S, SW, W, NW, N, NE), then goal, no way, solid (pynav/grid/steps.py), not here
# (pynav/sectors/block_layout.py).
FLOW_GOAL: Final = 8

# Columns of ``chase`` (float32, by slot): how an agent gets to its foe.
URGE: Final = 0  # seconds without progress towards it
WAY_X: Final = 1  # a place on the way to a foe that it doesn't see, tiles; 0: none
WAY_Y: Final = 2
CHASE_COUNT: Final = 3

# Rows of the crowds' counters (int64).
AGENTS: Final = 0  # in the table now
COUNTER_COUNT: Final = 1

# Rows of the groups' counters (int64).
MEMBERS: Final = 0  # agents in it now
ARRIVALS: Final = 1  # since the goal was set, those that go on to the next group included
GROUP_COUNTER_COUNT: Final = 2

NEIGHBOUR_LIMIT: Final = 16  # contacts of an agent that are listed; the fullest ring of equal discs has 6
WALKED_PERIOD: Final = 1024.0
