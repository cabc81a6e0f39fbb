"""Broken-off scripts of everyday life, with four endings of which the state of things allows one.

Example: context "Brewing coffee in a press", question "Idris wants a proper cup of coffee and is in a camper van with a
grinder and a kettle. Idris grinds the dark beans, then fills the steel kettle with cold water. he",
answer "brings the steel kettle to the boil."
"""

from pfe.tutors.families.hellaswag_synth.company import Checkout, Clay, DogBath, Graze, GuitarString, Haircut
from pfe.tutors.families.hellaswag_synth.indoors import Bread, Candle, Coffee, Floor, Pancakes, Printer, Shelf, Wall
from pfe.tutors.families.hellaswag_synth.outdoors import Airport, Archery, Climbing, Puncture, Tent, Tree

__all__ = [
    "Airport", "Archery", "Bread", "Candle", "Checkout", "Clay", "Climbing", "Coffee", "DogBath", "Floor", "Graze",
    "GuitarString", "Haircut", "Pancakes", "Printer", "Puncture", "Shelf", "Tent", "Tree", "Wall",
]  # fmt: skip
