"""Qualification, ranks and verdict of a competition."""
