"""Yes/no questions about passages on invented things.

Example, of the family threshold_rule: "Toronia Assembly -- ... A petition is debated if it carries at least 240
signatures. ..." Question: "is a petition with 236 signatures debated in the toronia assembly". Answer: no.
"""
