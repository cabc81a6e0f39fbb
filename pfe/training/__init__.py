"""The student: its corpus, its architecture, its training."""
