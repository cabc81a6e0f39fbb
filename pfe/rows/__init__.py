"""Files of rows, and what a row is to a benchmark or a comparison: formats, shapes of columns, problems."""
