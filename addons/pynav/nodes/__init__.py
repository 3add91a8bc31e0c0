"""The nodes: FlowFieldMap2D, FlowFieldCrowd2D, FlowFieldAgent2D, FlowFieldObstacle2D, FlowFieldOneWay2D, FormationController2D,
UnitCommander2D, their 3D kin; FlowFieldMovementClass, NavJobScheduler; those of the homing grid in `homing`.
"""

from addons.pynav.bridge import RUNNING, on_shutdown

from . import default_unit, flow_field_crowd_3d, game_reports, project_settings
from .baked_map import FlowFieldBakedMap
from .flow_field_agent_2d import FlowFieldAgent2D
from .flow_field_agent_3d import FlowFieldAgent3D
from .flow_field_crowd_2d import FlowFieldCrowd2D
from .flow_field_crowd_3d import FlowFieldCrowd3D
from .flow_field_map_2d import FlowFieldMap2D
from .flow_field_map_3d import FlowFieldMap3D
from .flow_field_obstacle_2d import FlowFieldObstacle2D
from .flow_field_obstacle_3d import FlowFieldObstacle3D
from .flow_field_one_way_2d import FlowFieldOneWay2D
from .flow_field_one_way_3d import FlowFieldOneWay3D
from .formation_controller_2d import FormationController2D
from .formation_controller_3d import FormationController3D
from .homing import (
    HomingGrid2D,
    HomingGrid3D,
    HomingProjectiles2D,
    HomingProjectiles3D,
    HomingSource2D,
    HomingSource3D,
    HomingSteering2D,
    HomingSteering3D,
)
from .movement_class import FlowFieldMovementClass
from .nav_job_scheduler import NavJobScheduler
from .unit_commander_2d import UnitCommander2D
from .unit_commander_3d import UnitCommander3D

__all__ = [
    "FlowFieldAgent2D",
    "FlowFieldAgent3D",
    "FlowFieldBakedMap",
    "FlowFieldCrowd2D",
    "FlowFieldCrowd3D",
    "FlowFieldMap2D",
    "FlowFieldMap3D",
    "FlowFieldMovementClass",
    "FlowFieldObstacle2D",
    "FlowFieldObstacle3D",
    "FlowFieldOneWay2D",
    "FlowFieldOneWay3D",
    "FormationController2D",
    "FormationController3D",
    "HomingGrid2D",
    "HomingGrid3D",
    "HomingProjectiles2D",
    "HomingProjectiles3D",
    "HomingSource2D",
    "HomingSource3D",
    "HomingSteering2D",
    "HomingSteering3D",
    "NavJobScheduler",
    "UnitCommander2D",
    "UnitCommander3D",
]


def _end() -> None:
    """Before the engine takes itself down: shared resources and native threads."""
    from pynav.kernels import shutdown

    game_reports.detach()
    default_unit.forget_shared()
    flow_field_crowd_3d.forget_shared()
    shutdown()


if RUNNING:
    project_settings.declare()
    on_shutdown(_end)
