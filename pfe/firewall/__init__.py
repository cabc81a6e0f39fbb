"""The contamination firewall: nothing too near a canonical problem enters the training corpus."""
