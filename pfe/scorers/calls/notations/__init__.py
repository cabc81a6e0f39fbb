"""One family of notations a file; `NOTATIONS` in it is all that the reader needs."""
