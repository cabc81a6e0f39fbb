"""report/report.html: one page that can be sent to a colleague, with nothing to fetch.

Pure functions of what the stages wrote; `stages.page` reads and writes. The page's own files (template, style,
programs) lie beside these modules.
"""
