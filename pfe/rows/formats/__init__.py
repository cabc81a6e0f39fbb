"""The formats that data sets come in, one a file: how one is divided, read, hashed, and written without some rows."""
