"""Tutors that write problems: language models, by examples of the synthetic sets, and data sets of reasoning-gym."""
