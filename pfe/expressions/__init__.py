"""Formulas as strings from anywhere: read, computed, counted and compared, never executed."""
