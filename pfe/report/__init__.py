"""Reports of the experiment: tables, pages and plots, built from the records that the stages wrote."""
