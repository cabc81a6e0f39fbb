"""The procedural families: one module a synthetic set, one class a kind of problem."""
