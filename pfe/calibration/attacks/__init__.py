"""Ways to disguise a canonical problem, by the gate that they were written against; found by being there."""
