"""Formulas from untrusted texts: parsing, evaluation, component counts and comparison, without executing them."""
