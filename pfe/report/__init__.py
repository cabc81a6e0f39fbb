"""What the experiment says: tables, pages and plots, made of records that the stages wrote."""
