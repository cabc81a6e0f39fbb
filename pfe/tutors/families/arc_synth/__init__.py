"""Science questions with four choices, in the style of a grade-school science test.

Example from the family cross_odds: "In guinea pigs, R stands for the dominant allele for rough coats and r for the
recessive allele for smooth coats. A cross of Rr with rr gives 36 offspring. What number of them would you expect to
have smooth coats?" Choices: 0, 9, 18, 27. Answer: 18.
"""
