"""Procedural families written as classes, found automatically: one folder per set, one class per kind of problem."""
