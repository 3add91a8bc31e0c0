"""Results are those of the last deliberate change, on this machine too."""

import pytest

from tests.determinism.golden import kept
from tests.determinism.scenes import SCENES, play

HOW = (
    "The results of scene {name} are others than before. If a change was meant to do that, renew the hashes"
    " (python -m tests.determinism.renew) and say so in the commit; if not, it is a bug."
)


def test_every_scene_has_a_hash() -> None:
    assert set(kept()) == set(SCENES), "renew the hashes: python -m tests.determinism.renew"


@pytest.mark.parametrize("name", SCENES)
def test_results_have_not_changed_by_accident(name: str) -> None:
    assert play(SCENES[name]).hash == kept().get(name), HOW.format(name=name)
