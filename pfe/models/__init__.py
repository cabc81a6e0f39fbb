"""Models that can be evaluated: Hugging Face weights (also in vLLM), servers, and two baselines."""
