"""One short script a DVC stage: read the configuration, call pfe, write the outputs."""
