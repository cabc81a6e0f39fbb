"""Measurements of speed and memory, each in a process of its own."""
