"""WinoGrande-Synth: sentences with one blank that stands for one of two people or things.

Example: "Although Asel was a head taller than Rosa, _ was put in the front row of the photograph."
    choices ("Rosa", "Asel"), answer "Asel"; with "so" for "although", "Rosa".
Format as in WinoGrande (https://huggingface.co/datasets/allenai/winogrande): one `_`, two options, both of
which the sentence names.
"""

from pfe.tutors.families.winogrande_synth.people import (
    Fear,
    Giving,
    Height,
    Hunger,
    Lending,
    Money,
    Noise,
    Punctuality,
    Skill,
    Strength,
    Teaching,
    Tidiness,
    Tiredness,
)
from pfe.tutors.families.winogrande_synth.things import Distance, Fragility, Freshness, Heat, Price, Size, Weight

__all__ = [
    "Distance",
    "Fear",
    "Fragility",
    "Freshness",
    "Giving",
    "Heat",
    "Height",
    "Hunger",
    "Lending",
    "Money",
    "Noise",
    "Price",
    "Punctuality",
    "Size",
    "Skill",
    "Strength",
    "Teaching",
    "Tidiness",
    "Tiredness",
    "Weight",
]
