"""Reading of data files: file formats, column layouts, and the conversion of rows to problems."""
