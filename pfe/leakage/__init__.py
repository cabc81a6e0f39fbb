"""Leak checks: whether a method library reveals sealed problems or their answers."""
