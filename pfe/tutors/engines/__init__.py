"""Engines: modules whose class `Engine`, discovered by import, makes a family from a file of `content/`."""
