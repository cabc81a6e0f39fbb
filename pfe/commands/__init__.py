"""The commands of the program `pfe`, a module each: its docstring is the help, `main` takes the arguments.

Example: `pfe problem gsm1k_synth/coupon_change/s0/2` calls `main("gsm1k_synth/coupon_change/s0/2")` of `problem.py`.
What a command needs beyond its arguments is imported inside `main`, so that `pfe --help` answers at once.
"""
