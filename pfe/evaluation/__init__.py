"""Evaluation of a model in each arm: building the prompts, running the model, and collecting predictions."""
