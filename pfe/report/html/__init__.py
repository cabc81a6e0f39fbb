"""The HTML report, report/report.html: one page that needs no network and can be sent to a colleague.

Its functions are pure: `stages.page` reads the outputs of other stages and writes the page. The template, style sheet
and scripts are in this folder.
"""
