"""Word problems like GSM1K's: two to eight steps of basic arithmetic, a whole number at the end.

Example: "At the toy store, Ravi fills a basket with 3 puzzles and 2 kites. The price tags say $10 for each of the
puzzles and $9 for each of the kites. A coupon takes 25% off the whole bill. He hands over $50. How many dollars should
the cashier give back?" Answer: 14.
"""
