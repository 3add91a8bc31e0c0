"""Errors of the kernel machinery."""


class KernelError(Exception):
    """Base of all errors of the kernel machinery."""


class KernelArgumentError(KernelError, TypeError):
    """An argument does not fit the declared signature; nothing ran."""


class KernelLibraryError(KernelError, RuntimeError):
    """The library built ahead of time is missing, stale, or lacks a kernel."""
