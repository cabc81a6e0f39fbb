"""What can be examined: Hugging Face weights and two baselines."""
