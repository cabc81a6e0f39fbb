"""Who writes problems and answer keys."""
