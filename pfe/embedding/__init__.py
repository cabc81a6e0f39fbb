"""Sentence embeddings: what they are, what runs the model, and the vectors that are kept."""
