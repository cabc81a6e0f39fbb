"""Attacks that disguise a canonical problem, one file per gate that they test; files are registered automatically."""
