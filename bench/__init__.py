"""Measurements of speed, memory and recall, each in a process of its own."""
