"""Reading comprehension: a composed passage of about two hundred words, a question, four choices.

Example: context "When old Mr Selby fell ill last autumn, his grandchildren Vera and Hugo had to decide ... Vera was
reluctant from the first moment: she kept finding reasons to stay at home. ...", question 'What does the word
"reluctant" in the text most probably mean?', answer "not willing".
"""
