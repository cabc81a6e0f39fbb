"""Sentence embeddings: an encoder with a cache, the models' vectors, and the backends that run the models."""
