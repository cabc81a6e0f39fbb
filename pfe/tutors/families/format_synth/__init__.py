"""format_synth: instructions with one exact right output.

Example: "Write each time on the 24-hour clock ...\\n\\nDentist: 3:05 p.m.\\nSwimming: 9:30 a.m." with the answer
"09:30 Swimming\\n15:05 Dentist".
"""

from pfe.tutors.families.format_synth.extraction import BookingJson, Citations
from pfe.tutors.families.format_synth.records import CsvRecords, JsonRecords, MarkdownTable, RankedList
from pfe.tutors.families.format_synth.structure import IniSections, Outline, QueryString
from pfe.tutors.families.format_synth.text import CodeNames, PaddedLines, TitleCase
from pfe.tutors.families.format_synth.values import Amounts, ClockTimes, Dates, Durations, PhoneNumbers

__all__ = [
    "Amounts", "BookingJson", "Citations", "ClockTimes", "CodeNames", "CsvRecords", "Dates", "Durations", "IniSections",
    "JsonRecords", "MarkdownTable", "Outline", "PaddedLines", "PhoneNumbers", "QueryString", "RankedList", "TitleCase",
]  # fmt: skip
