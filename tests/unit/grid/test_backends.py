"""Every kernel of the grid has the same bits compiled and as a plain Python body."""

import numpy as np

from pynav.kernels import get_backend, registered_kernels, set_backend
from tests.kernel_examples.grid import KernelExample, examples


def results(example: KernelExample) -> list[bytes]:
    call = example.kernel.bind(*example.arguments)
    call.run() if example.item_count is None else call.run(example.item_count, block_size=7)
    return [argument.tobytes() for argument in example.arguments if isinstance(argument, np.ndarray)]


def test_compiled_kernels_have_the_bits_of_their_plain_bodies() -> None:
    before = get_backend()
    compiled = [results(example) for example in examples()]
    set_backend("python")
    try:
        plain = [results(example) for example in examples()]
    finally:
        set_backend(before)
    names = [example.kernel.short_name for example in examples()]
    assert [name for name, a, b in zip(names, compiled, plain, strict=True) if a != b] == []


def test_every_kernel_of_the_grid_has_an_example_that_changes_something() -> None:
    known = {name for name in registered_kernels() if name.startswith("pynav.grid.")}
    assert {example.kernel.name for example in examples()} == known
    for example in examples():
        before = [argument.tobytes() for argument in example.arguments if isinstance(argument, np.ndarray)]
        assert results(example) != before, example.kernel.short_name
