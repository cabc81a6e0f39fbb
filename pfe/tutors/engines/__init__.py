"""Engines: each makes a family of what a file of `content/` says; a module's `Engine` is found by its being there."""
