"""What a model is asked in each arm, and what becomes of its answers."""
