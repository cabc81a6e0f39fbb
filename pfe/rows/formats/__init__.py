"""The file formats of data sets, one per module: how files are split, read, hashed, and copied without some rows."""
