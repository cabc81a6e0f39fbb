"""What can be examined: Hugging Face weights, servers, and two baselines."""
