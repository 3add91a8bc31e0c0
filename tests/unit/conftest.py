"""Kernels that a test defines are in no library: compile them here."""

import pytest

from pynav.kernels import get_backend, set_backend


@pytest.fixture(autouse=True)
def _own_kernels(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    before = get_backend()
    if before == "library" and {"kernels", "jobs"} & set(request.path.parts):
        set_backend("jit")
        yield
        set_backend(before)
    else:
        yield
