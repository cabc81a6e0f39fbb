"""The canonical benchmarks: where they come from, how their rows are read, and the seal on them."""
