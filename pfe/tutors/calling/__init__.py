"""What requests for function calls are made of: the values people say, the tools that take them, the sentences."""
