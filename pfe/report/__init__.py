"""What the experiment says: the table and the page."""
