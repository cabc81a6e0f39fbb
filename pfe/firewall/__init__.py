"""The contamination firewall: it keeps problems that are too similar to a canonical one out of the training corpus."""
