"""Requests to the calendar: spoken times and days, optional arguments by name, a slot then an event, a condition.

Example, fncall_synth/move_or_cancel/s0/0:
    request: Our event evt_8908 needs at least 14 sign-ups and has 11. With enough of them, shift it to Friday
        the 25th of February 2028, twenty-five to twelve in the morning; with too few, strike it off without
        giving a reason. Either way, the guests get word of it.
    answer: cancel_event("evt_8908")
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import (
    CLOCK,
    LENGTHS,
    NAMES,
    iso_day,
    items,
    listed,
    said,
    some_day,
    spoken_day,
    table,
)
from pfe.tutors.family import Facts

TITLES = table("""
Kiln firing|Seed swap|Bell ringing|Fencing bout|Chess clinic|Tile delivery|Eye test|Bat walk|Barge inspection
Tango class|Knot lesson|Audit call|Story hour|Soap making|Print run|Roof survey|Quilt circle|Map reading
Drum circle|Ice rink|Wine tasting|Sound check|Mural meeting|Fire drill|Herb walk|Robot club|Debate final
Blood donation|Harbour tour
""")


def event_id(rng: Random) -> str:
    """An id that no event of the benchmark's requests is known by to a reader."""
    return f"evt_{rng.randint(2100, 9999)}"


class SpokenTime(Asking):
    name = "spoken_time"
    toolbox = "calendar"
    templates: ClassVar[tuple[str, ...]] = (
        'From the noticeboard: "{title}" begins at {clock}, {day}, and goes on for {length}. Carry that over into my '
        "calendar; {people} should receive invitations.",
        "{people} have asked to be invited. It concerns {day}, starting at {clock}; reserve {length} and name the "
        'entry "{title}".',
        'The hall is ours for {length} from {clock} on {day}. I call it "{title}", and the guests on the invitation '
        "are {people}.",
    )

    def facts(self, rng: Random) -> Facts:
        return {
            "title": rng.choice(TITLES), "day": some_day(rng), "clock": rng.choice(list(CLOCK)),
            "length": rng.choice(list(LENGTHS)), "people": listed(rng.sample(NAMES, rng.randint(2, 4))),
        }  # fmt: skip

    def calls(self, facts: Facts) -> Sequence[Source]:
        when = {"date": iso_day(facts["day"]), "start": CLOCK[facts["clock"]], "minutes": LENGTHS[facts["length"]]}
        return [call("create_event", title=facts["title"], **when, attendees=items(facts["people"]))]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        title, day, start, minutes, people = arguments(
            one, "create_event", "title", "date", "start", "minutes", "attendees"
        )
        return {
            "title": title, "day": spoken_day(day), "clock": said(CLOCK, start),
            "length": said(LENGTHS, minutes), "people": listed(people),
        }  # fmt: skip

    def steps(self, facts: Facts) -> Iterable[str]:
        yield f"{facts['day']} is {iso_day(facts['day'])}; {facts['clock']} is {CLOCK[facts['clock']]}."
        yield f"{facts['length']} is {LENGTHS[facts['length']]} minutes."


CHANNELS: Mapping[str, str] = {
    "as a text message to my phone": "sms",
    "into my mailbox": "email",
    "through the popup on my screen": "popup",
    "in whatever manner is customary": "popup",
}
AHEAD: Mapping[str, int] = {"the customary span of time": 10, **LENGTHS}


class KeywordReminder(Asking):
    name = "keyword_reminder"
    toolbox = "calendar"
    templates: ClassVar[tuple[str, ...]] = (
        "{name} keeps missing {event}. Let the alarm for it come {channel}, {ahead} before it begins.",
        "No later and no sooner than {ahead} ahead of {event}, an alarm ought to arrive {channel}; {name} has {other} "
        "under control already.",
        "Of my two appointments, {event} gets an alarm and {other} does not. Lead time: {ahead}. It should come "
        "{channel}.",
    )

    def facts(self, rng: Random) -> Facts:
        return {
            "event": event_id(rng),
            "channel": rng.choice(list(CHANNELS)),
            "ahead": rng.choice([*AHEAD, next(iter(AHEAD))]),
        }

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "other": event_id(rng)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        how = {"minutes_before": AHEAD[facts["ahead"]], "channel": CHANNELS[facts["channel"]]}
        return [call("set_reminder", event_id=facts["event"], **how)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        event, minutes, channel = arguments(one, "set_reminder", "event_id", "minutes_before", "channel")
        return {"event": event, "ahead": said(AHEAD, minutes), "channel": said(CHANNELS, channel)}

    def steps(self, facts: Facts) -> Iterable[str]:
        ahead, channel = facts["ahead"], facts["channel"]
        yield f'"{ahead}" is {AHEAD[ahead]} minutes; "{channel}" is {CHANNELS[channel]}.'


PARTS: Mapping[str, str] = {
    "before lunch, that is in the morning": "morning",
    "after lunch, that is in the afternoon": "afternoon",
    "at no matter what hour": "any",
}


class SlotThenEvent(Asking):
    name = "slot_then_event"
    toolbox = "calendar"
    templates: ClassVar[tuple[str, ...]] = (
        '"{title}" takes {length} and must not start until {people} have no other duties. Take their first opening on '
        "{day}, {part}, and enter the event there with its full length; it needs no invitations.",
        "Nobody invites {people}, they come by themselves, but each of them must be free for the full {length}. Look "
        'at {day}, {part}, and let "{title}" begin as soon as they can and run that long.',
    )

    def facts(self, rng: Random) -> Facts:
        return {
            "title": rng.choice(TITLES), "day": some_day(rng), "part": rng.choice(list(PARTS)),
            "length": rng.choice(list(LENGTHS)), "people": listed(rng.sample(NAMES, rng.randint(2, 3))),
        }  # fmt: skip

    def calls(self, facts: Facts) -> Sequence[Source]:
        day, minutes = iso_day(facts["day"]), LENGTHS[facts["length"]]
        who = {"people": items(facts["people"]), "part_of_day": PARTS[facts["part"]]}
        slot = call("find_free_slot", date=day, minutes=minutes, **who)
        return [call("create_event", title=facts["title"], date=day, start=slot, minutes=minutes)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        title, day, slot, minutes = arguments(one, "create_event", "title", "date", "start", "minutes")
        people, same_day, needed, part = arguments(slot, "find_free_slot", "people", "date", "minutes", "part_of_day")
        if (same_day, needed) != (day, minutes):
            raise ValueError("the slot is not that of the event")
        return {
            "title": title, "day": spoken_day(day), "length": said(LENGTHS, minutes),
            "people": listed(people), "part": said(PARTS, part),
        }  # fmt: skip

    def steps(self, facts: Facts) -> Iterable[str]:
        yield f"{facts['day']} is {iso_day(facts['day'])}; {facts['length']} is {LENGTHS[facts['length']]} minutes."


TELLING: Mapping[str, bool] = {"keep the guests in the dark": False, "the guests get word of it": True}


class MoveOrCancel(Asking):
    name = "move_or_cancel"
    toolbox = "calendar"
    templates: ClassVar[tuple[str, ...]] = (
        "Our event {event} needs at least {least:d} sign-ups and has {signed:d}. With enough of them, shift it to "
        "{day}, {clock}; with too few, strike it off without giving a reason. Either way, {telling}.",
        "House rule for {event}: fewer than {least:d} names on the sheet and it is struck off, no reason stated; "
        "otherwise it gets a new place, {clock} on {day}. There are {signed:d} names today. In both cases, {telling}.",
        "The sheet for {event} shows {signed:d} names. Should {least:d} or more have signed, its new date is {day} at "
        "{clock}; should it be less, drop it and leave the reason blank. Whatever happens, {telling}.",
    )

    def facts(self, rng: Random) -> Facts:
        least = rng.randint(5, 40)
        return {
            "event": event_id(rng), "least": least, "signed": max(1, least + rng.randint(-4, 4)), "day": some_day(rng),
            "clock": rng.choice(list(CLOCK)), "telling": rng.choice(list(TELLING)),
        }  # fmt: skip

    def calls(self, facts: Facts) -> Sequence[Source]:
        event, notify = facts["event"], TELLING[facts["telling"]]
        if facts["signed"] < facts["least"]:
            return [call("cancel_event", event_id=event, notify=notify)]
        start = CLOCK[facts["clock"]]
        return [call("move_event", event_id=event, date=iso_day(facts["day"]), start=start, notify=notify)]

    def check(self, facts: Facts, answer: str) -> bool:
        verdict = "move_event" if facts["signed"] - facts["least"] >= 0 else "cancel_event"
        return answer.startswith(verdict) and super().check(facts, answer)

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        if one.name == "cancel_event":
            event, notify = arguments(one, "cancel_event", "event_id", "notify")
            return {"event": event, "telling": said(TELLING, notify)}
        event, day, start, notify = arguments(one, "move_event", "event_id", "date", "start", "notify")
        return {"event": event, "day": spoken_day(day), "clock": said(CLOCK, start), "telling": said(TELLING, notify)}

    def steps(self, facts: Facts) -> Iterable[str]:
        few = facts["signed"] < facts["least"]
        verdict = f"less than {facts['least']}: cancel" if few else f"at least {facts['least']}: move"
        yield f"{facts['signed']} is {verdict} it."
