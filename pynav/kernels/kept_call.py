"""A kernel that is bound once and bound anew only when it is given something else."""

from __future__ import annotations

from typing import Any

import numpy as np

from pynav.kernels.kernel import BoundCall


class KeptCall:
    """Binds a kernel as late and as seldom as possible: checks of a dozen arguments take longer than a small kernel's work."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._arguments: tuple[Any, ...] = ()
        self._call: BoundCall | None = None

    def bound(self, *arguments: Any) -> BoundCall:
        """The kernel with these arguments; scalars that changed are set."""
        before = self._arguments
        if self._call is None or len(before) != len(arguments):
            self._call = self._kernel.bind(*arguments)
        else:
            for index, (old, new) in enumerate(zip(before, arguments, strict=True)):
                if old is not new and (isinstance(new, np.ndarray) or old != new):
                    self._call.replace(index, new)
        self._arguments = arguments
        return self._call
