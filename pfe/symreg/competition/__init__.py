"""A competition of symbolic-regression methods: data sets, methods, runs."""
