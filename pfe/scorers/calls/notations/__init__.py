"""Notations of function calls, one family per module; each module exports `NOTATIONS`."""
