"""Quality of synthetic sets: figures compared with the real benchmarks of the domain, as aggregates only.

Example: `measure("arc_synth", problems, real, seed=0)` reports a two-sample AUC of 0.97 [0.96, 0.98].
"""
