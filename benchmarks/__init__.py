"""Benchmarks: each measures beside a peer in the same run, and checks its answer."""
