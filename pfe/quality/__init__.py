"""How good a synthetic set is: its figures beside those of the real benchmarks of its domain, and aggregates only.

Example: `measure("arc_synth", problems, real, seed=0)` says that its two-sample AUC is 0.97 [0.96, 0.98].
"""
