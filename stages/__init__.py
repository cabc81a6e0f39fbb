"""The stages of the DVC pipeline, one short script each: read the configuration, call pfe, write the outputs."""
