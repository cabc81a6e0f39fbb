"""PFE, Posthumanity's First Exam: does a model learn from its context, or does it remember?"""
