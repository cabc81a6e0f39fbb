"""Function calls: read as models write them, bound to the functions on offer, compared with the gold."""
