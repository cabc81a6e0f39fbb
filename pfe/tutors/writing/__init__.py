"""Tutors that write problems: language models prompted with synthetic examples, and reasoning-gym data sets."""
