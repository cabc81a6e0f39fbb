"""Small Python tasks with three tests each, in the manner of MBPP.

Example: `pfe problem mbpp_synth/key_values/s0/3` prints a task on text made of keys and numbers.
"""
