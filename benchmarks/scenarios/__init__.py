"""Crowd scenarios: small crowds in tight places, and what is measured while they walk."""
