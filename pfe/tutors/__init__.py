"""Tutors: the families and models that write problems and answer keys."""
