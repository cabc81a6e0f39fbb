"""Training of the student model: its corpus, architecture, training loop and validation."""
