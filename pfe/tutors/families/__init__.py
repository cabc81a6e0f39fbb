"""The procedural families: one folder a synthetic set, one class a kind of problem, found by being there."""
