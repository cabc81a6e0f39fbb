"""The canonical benchmarks: their sources, the reading of their rows, and the seal that detects changes."""
