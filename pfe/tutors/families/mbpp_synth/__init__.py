"""Small Python tasks with three tests each, in the manner of MBPP.

Example: `pfe problem mbpp_synth/key_values/s0/3` prints a task on text made of keys and numbers.
"""

from pfe.tutors.families.mbpp_synth.integers import BaseDigits, DigitWork, RangeSearch, Recurrence
from pfe.tutors.families.mbpp_synth.lists import FilterAggregate, Partners, Window
from pfe.tutors.families.mbpp_synth.parsing import Brackets, KeyValues
from pfe.tutors.families.mbpp_synth.plain import PlainNumbers, PlainText
from pfe.tutors.families.mbpp_synth.records import Dates, Grouping, Ranking
from pfe.tutors.families.mbpp_synth.structures import Intervals, MatrixEdit, Nested
from pfe.tutors.families.mbpp_synth.texts import Columns, RunLength, WordEdit

__all__ = [
    "BaseDigits", "Brackets", "Columns", "Dates", "DigitWork", "FilterAggregate", "Grouping", "Intervals",
    "KeyValues", "MatrixEdit", "Nested", "Partners", "PlainNumbers", "PlainText", "RangeSearch", "Ranking",
    "Recurrence", "RunLength", "Window", "WordEdit",
]  # fmt: skip
