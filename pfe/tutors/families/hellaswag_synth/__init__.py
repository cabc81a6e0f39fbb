"""Broken-off scripts of everyday life, with four endings of which the state of things allows one.

Example: context "Brewing coffee in a press", question "Idris wants a proper cup of coffee and is in a camper van with a
grinder and a kettle. Idris grinds the dark beans, then fills the steel kettle with cold water. he",
answer "brings the steel kettle to the boil."
"""
