"""pynav: navigation for huge crowds. The core: knows nothing of the engine, can be used and tested alone."""

__version__ = "0.1.0"
