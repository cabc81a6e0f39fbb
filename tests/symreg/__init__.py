"""The track of symbolic regression."""
