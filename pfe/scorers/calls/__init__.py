"""Function calls: read from any notation in use, bound to the functions on offer, compared with the gold."""
