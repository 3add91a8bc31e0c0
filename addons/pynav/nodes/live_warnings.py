"""Configuration warnings that come and vanish by themselves in the editor, whatever node or resource they hang on.

The engine asks a node for its warnings when the node says that they changed. But a crowd's warning that it has no map ends with
another node, and one about a movement class with a resource: so in the editor our nodes are looked at by turns, a few a frame,
and those whose warnings are others than they were say so.
"""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import RUNNING, is_valid, on_frame, remove_on_frame, report

_NODES_A_FRAME = 4

_nodes: list[Any] = []
_shown: dict[int, list[str]] = {}  # by the node's instance id: what it was found to warn of
_next = [0]


def watch(node: Any) -> None:
    """A node entered the editor's tree: show its warnings, and look at them from now on."""
    node.update_configuration_warnings()
    if node not in _nodes:
        _nodes.append(node)
        if RUNNING and len(_nodes) == 1:
            on_frame(_frame)


def forget(node: Any) -> None:
    """It leaves the tree."""
    _shown.pop(node.get_instance_id(), None)
    _keep([other for other in _nodes if other is not node])


def _keep(nodes: list[Any]) -> None:
    had_some = bool(_nodes)
    _nodes[:] = nodes
    if RUNNING and had_some and not _nodes:
        _shown.clear()
        remove_on_frame(_frame)


def _frame() -> None:
    if not all(is_valid(node) for node in _nodes[_next[0] : _next[0] + _NODES_A_FRAME]):
        _keep([node for node in _nodes if is_valid(node)])
    if _next[0] >= len(_nodes):
        _next[0] = 0
    for node in _nodes[_next[0] : _next[0] + _NODES_A_FRAME]:
        try:
            found = [str(warning) for warning in node._get_configuration_warnings()]
        except Exception as error:  # told once: what fails must not be tried each frame
            report(error, type(node)._get_configuration_warnings)
            _keep([other for other in _nodes if other is not node])
            return
        number = node.get_instance_id()
        if _shown.get(number) != found:
            _shown[number] = found
            node.update_configuration_warnings()
    _next[0] += _NODES_A_FRAME
