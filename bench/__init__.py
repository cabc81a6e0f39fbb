"""Benchmarks of speed, memory and recall, each in a separate process."""
