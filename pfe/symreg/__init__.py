"""The track of symbolic regression: data sets, methods, formulas, and the reports of a competition.

`pfe.judging` ranks its runs, as it ranks language models. Of the other packages, only the page and `pfe.api` import it.
"""
