"""The commands of the program `pfe`, one module each: the docstring is the help, `main` takes the arguments.

Example: `pfe problem gsm1k_synth/coupon_change/s0/2` calls `main("gsm1k_synth/coupon_change/s0/2")` of `problem.py`.
Heavy imports are inside `main`, so that `pfe --help` responds at once.
"""
