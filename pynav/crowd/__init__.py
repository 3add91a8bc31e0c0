"""Crowds: agent tables, flows to follow, steering, contacts, drawing buffers. Use them through ``pynav.world.World``."""
