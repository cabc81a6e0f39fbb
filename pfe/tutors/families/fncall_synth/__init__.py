"""Requests for one or several calls of documented functions; none of a held-out toolbox is among them.

Example, fncall_synth/wherever_they_are/s0/0:
    request: Before Eoin nods off, wherever that is, a sensor must tell us how warm the air is around that
        chair, and never mind Yvette.
    functions: set_light, set_temperature, read_sensor, save_scene, find_person
    answer: read_sensor(find_person("Eoin"), "temperature")
"""

from pfe.tutors.families.fncall_synth.calendar import KeywordReminder, MoveOrCancel, SlotThenEvent, SpokenTime
from pfe.tutors.families.fncall_synth.documents import PagesOfAFile, WordsCorrected
from pfe.tutors.families.fncall_synth.everyday import MailTheResult, PriceList, SumInWords, WeatherScale
from pfe.tutors.families.fncall_synth.home import ColdStore, LightScene, WhereverTheyAre
from pfe.tutors.families.fncall_synth.money import LoanTerm, Payday, ShareAbroad
from pfe.tutors.families.fncall_synth.travel import DriveCost, HotelStay, PartyFlies

__all__ = [
    "ColdStore", "DriveCost", "HotelStay", "KeywordReminder", "LightScene", "LoanTerm", "MailTheResult",
    "MoveOrCancel", "PagesOfAFile", "PartyFlies", "Payday", "PriceList", "ShareAbroad", "SlotThenEvent",
    "SpokenTime", "SumInWords", "WeatherScale", "WhereverTheyAre", "WordsCorrected",
]  # fmt: skip
