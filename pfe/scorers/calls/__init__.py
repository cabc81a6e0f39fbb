"""Function calls: parsed from model outputs, bound to the functions on offer, and compared with the gold calls."""
