"""Format tasks that rewrite labelled dates, times of day, durations, sums of money and phone numbers.

Example: "Rewrite these dates in the form YYYY-MM-DD. On each line put the date, a space and the label. Sort the
lines from the earliest to the latest.\\n\\nAudit: March 5, 2021\\nQuiz night: 9 May 2020" gives
"2020-05-09 Quiz night\\n2021-03-05 Audit".
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.format_synth.base import Instruction, Phrases, ascending, meaning, unlisted, weave
from pfe.tutors.families.format_synth.words import EVENTS, TOWNS, people, words
from pfe.tutors.family import Draft, Facts

MONTHS = words("January February March April May June July August September October November December")
JOINTS: Phrases = {
    " ": ("a space",),
    ": ": ("a colon followed by a space",),
    " - ": ("a hyphen with a space on each side", "a hyphen between two spaces"),
    ", ": ("a comma followed by a space",),
}
LAYOUTS = (
    "On each line put the {what}, {joint} and the {label}.",
    "Each line holds the {what}, then {joint}, then the {label}.",
)


class Labelled(Instruction):
    """Three to six labelled values, to be rewritten in a style and ordered.

    Facts: `items`, pairs of label and value in the order given; `style`, one of `styles`; `joint`, the text
    between value and label; `order`, one of `orders`.
    """

    what: ClassVar[str]
    label: ClassVar[str] = "label"
    openings: ClassVar[tuple[str, ...]]
    styles: ClassVar[tuple[str, ...]]
    orders: ClassVar[Phrases]

    def __init_subclass__(cls) -> None:
        layouts = tuple(f.format(what=cls.what, label=cls.label, joint="{joint}") for f in LAYOUTS)
        cls.asks = weave(cls.openings, layouts, ("{order}",))

    @abstractmethod
    def draw(self, rng: Random) -> Any:
        """Draw a value."""

    @abstractmethod
    def notation(self, value: Any, rng: Random) -> str:
        """Write a value in one of the notations of the data."""

    @abstractmethod
    def value_of(self, text: str) -> Any:
        """Parse a value from the data (the inverse of `notation`).

        Raises:
            ValueError: the text is not in a notation of the data.
        """

    @abstractmethod
    def shown(self, value: Any, style: str) -> str:
        """Write a value in one of `styles`."""

    @abstractmethod
    def seen(self, text: str, style: str) -> Any:
        """Parse a value that is written in exactly this style.

        Raises:
            ValueError: the text is not in this style.
        """

    def slips(self, value: Any, style: str) -> tuple[str, ...]:
        """Return texts with typical mistakes for a value; every value has the same number of them."""
        return ()

    def labels(self, rng: Random, count: int) -> list[str]:
        return rng.sample(EVENTS, count)

    def facts(self, rng: Random) -> Facts:
        count = rng.randint(3, 6)
        values: list[Any] = []
        while len(values) < count:
            value = self.draw(rng)
            if value not in values:
                values.append(value)
        items = list(zip(self.labels(rng, count), values, strict=True))
        style, joint, order = rng.choice(self.styles), rng.choice(list(JOINTS)), rng.choice(list(self.orders))
        return {"items": items, "style": style, "joint": joint, "order": order}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {
            "style": facts["style"],
            "joint": rng.choice(JOINTS[facts["joint"]]),
            "order": rng.choice(self.orders[facts["order"]]),
        }

    def data(self, facts: Facts, rng: Random) -> list[str]:
        return [f"{label}: {self.notation(value, rng)}" for label, value in facts["items"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        pairs = [line.partition(": ") for line in lines]
        items = [(label, self.value_of(text)) for label, _, text in pairs]
        joint, order = meaning(JOINTS, gaps["joint"]), meaning(self.orders, gaps["order"])
        return {"items": items, "style": gaps["style"], "joint": joint, "order": order}

    def solve(self, facts: Facts) -> str:
        style, joint = facts["style"], facts["joint"]
        return "\n".join(f"{self.shown(value, style)}{joint}{label}" for label, value in self._ordered(facts))

    def _ordered(self, facts: Facts) -> list[tuple[str, Any]]:
        if facts["order"] == "kept":
            return list(facts["items"])
        return sorted(facts["items"], key=lambda item: item[1], reverse=facts["order"] == "down")

    def forms(self, facts: Facts) -> Iterable[str]:
        for order in self.orders:
            items = self._ordered({**facts, "order": order})
            for joint in JOINTS:
                written = [[self.shown(value, style) for _, value in items] for style in self.styles]
                written += list(map(list, zip(*(self.slips(value, facts["style"]) for _, value in items), strict=True)))
                for texts in written:
                    yield "\n".join(f"{text}{joint}{item[0]}" for text, item in zip(texts, items, strict=True))

    def check(self, facts: Facts, answer: str) -> bool:
        labels, found = dict(facts["items"]), {}
        for line in answer.split("\n"):
            label = max((label for label in labels if line.endswith(facts["joint"] + label)), key=len, default="")
            try:
                found[label] = self.seen(line.removesuffix(facts["joint"] + label), facts["style"])
            except ValueError:
                return False
        values = list(found.values())
        in_order = {"kept": list(found) == list(labels), "up": ascending(values), "down": ascending(values[::-1])}
        return found == labels and in_order[facts["order"]]

    def solution(self, facts: Facts, draft: Draft) -> str:
        steps = [f"{label}: {self.shown(value, facts['style'])}" for label, value in facts["items"]]
        return f"Rewrite each {self.what}. " + "; ".join(steps) + f".\n{self.orders[facts['order']][0]}"


TIME_ORDERS: Phrases = {
    "up": ("Start with the earliest.", "Sort the lines from the earliest to the latest."),
    "down": ("Start with the latest.", "Sort the lines from the latest to the earliest."),
    "kept": ("Keep the order in which they stand.", "Do not change their order."),
}


class Dates(Labelled):
    """A conversion of dates with month names to numeric dates."""

    name = "dates"
    what = "date"
    openings = (
        "Rewrite these dates in the form {style}.",
        "Bring the date of every entry into the form {style}.",
        "Our calendar only takes dates written as {style}, so convert these.",
    )
    styles = ("YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD", "YYYY/MM/DD")
    orders = TIME_ORDERS

    def draw(self, rng: Random) -> date:
        return date(2011, 1, 1) + timedelta(days=rng.randrange(7000))

    def notation(self, value: date, rng: Random) -> str:
        month, day = MONTHS[value.month - 1], value.day
        th = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        return rng.choice((
            f"{month} {day}, {value.year}",
            f"{day} {month} {value.year}",
            f"{month[:3]} {day}, {value.year}",
            f"the {day}{th} of {month} {value.year}",
            f"{month} {day}{th}, {value.year}",
        ))  # fmt: skip

    def value_of(self, text: str) -> date:
        match = re.fullmatch(r"(?:the )?(?:(\d+)(?:\w\w of)? )?([A-Z][a-z]+) (?:(\d+)(?:\w\w)?, )?(\d{4})", text)
        if not match:
            raise ValueError(f"{text!r} is no date")
        month = [name[:3] for name in MONTHS].index(match[2][:3]) + 1
        return date(int(match[4]), month, int(match[1] or match[3]))

    def shown(self, value: date, style: str) -> str:
        parts = {"YYYY": f"{value.year}", "MM": f"{value.month:02}", "DD": f"{value.day:02}"}
        return re.sub("YYYY|MM|DD", lambda match: parts[match[0]], style)

    def seen(self, text: str, style: str) -> date:
        pattern = re.escape(style)
        for part, name in (("YYYY", "year"), ("MM", "month"), ("DD", "day")):
            pattern = pattern.replace(part, rf"(?P<{name}>\d{{{len(part)}}})")
        match = re.fullmatch(pattern, text)
        if not match:
            raise ValueError(f"{text!r} is not of the form {style}")
        return date(int(match["year"]), int(match["month"]), int(match["day"]))

    def slips(self, value: date, style: str) -> tuple[str, ...]:
        bare = re.sub(r"(?<!\d)0", "", self.shown(value, style))
        crossed = style.replace("MM", "?").replace("DD", "MM").replace("?", "DD")
        return bare, self.shown(value, crossed), self.shown(value, style)[-8:]


class ClockTimes(Labelled):
    """A conversion of times with a.m. and p.m., or in words, to the 24-hour clock; values in minutes after midnight."""

    name = "clock_times"
    what = "time"
    label = "town"
    openings = (
        "Put these departure times on the 24-hour clock, in the form {style}.",
        "Write each of these departure times in the 24-hour form {style}.",
        "The timetable uses the 24-hour clock, written {style}. Convert these departures.",
    )
    styles = ("HH:MM", "HH.MM", "HHMM")
    orders = TIME_ORDERS

    def labels(self, rng: Random, count: int) -> list[str]:
        return rng.sample(TOWNS, count)

    def draw(self, rng: Random) -> int:
        hour: int = rng.choice((0, 12, *range(24), *range(6, 22)))
        minute: int = rng.choice((0, 15, 30, 45, 5 * rng.randrange(12), rng.randrange(60)))
        return hour * 60 + minute

    def notation(self, value: int, rng: Random) -> str:
        hour, minute = divmod(value, 60)
        if minute == 0 and hour in (0, 12):
            return "midnight" if hour == 0 else "noon"
        half = "a.m." if hour < 12 else "p.m."
        figures = f"{(hour - 1) % 12 + 1}:{minute:02}"
        options = [
            f"{figures} {half}",
            f"{figures} {half.replace('.', '').upper()}",
            f"{figures} {half.replace('.', '')}",
        ]
        part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
        if minute in (15, 30) and hour % 12:
            options.append(f"{'half' if minute == 30 else 'a quarter'} past {hour % 12} {part}")
        if minute == 45 and hour % 12 not in (0, 11):
            options.append(f"a quarter to {hour % 12 + 1} {part}")
        return rng.choice(options)

    def value_of(self, text: str) -> int:
        if text in ("midnight", "noon"):
            return 720 * (text == "noon")
        match = re.fullmatch(r"(half past|a quarter past|a quarter to|) ?(\d+)(?::(\d\d))? (.+)", text)
        if not match:
            raise ValueError(f"{text!r} is no time")
        minutes = {"half past": 30, "a quarter past": 15, "a quarter to": -15, "": int(match[3] or 0)}[match[1]]
        late = match[4] in ("in the afternoon", "in the evening") or match[4].lower().startswith("p")
        return int(match[2]) % 12 * 60 + minutes + 720 * late

    def shown(self, value: int, style: str) -> str:
        return style.replace("HH", f"{value // 60:02}").replace("MM", f"{value % 60:02}")

    def seen(self, text: str, style: str) -> int:
        match = re.fullmatch(re.escape(style).replace("HH", "([01][0-9]|2[0-3])").replace("MM", "([0-5][0-9])"), text)
        if not match:
            raise ValueError(f"{text!r} is not of the form {style}")
        return int(match[1]) * 60 + int(match[2])

    def slips(self, value: int, style: str) -> tuple[str, ...]:
        hour, minute = divmod(value, 60)
        twelve = self.shown(((hour - 1) % 12 + 1) * 60 + minute, style)
        later = style.replace("HH", f"{hour % 12 + 12 * (hour >= 12) or 24}").replace("MM", f"{minute:02}")
        return self.shown(value, style).removeprefix("0"), twelve, later


class Durations(Labelled):
    """A conversion of durations such as "2 hours and 5 minutes" to forms such as H:MM:SS; values are seconds."""

    name = "durations"
    what = "time"
    label = "name"
    openings = (
        "Write these finishing times in the form {style}.",
        "Convert the times of these walkers to the form {style}.",
        "The result sheet shows times as {style}. Bring these into that form.",
    )
    styles = ("HH:MM:SS", "H:MM:SS", "HHhMMmSSs", "HhMMmSSs")
    orders: ClassVar[Phrases] = {
        "up": ("Start with the shortest time.", "Sort the lines from the shortest time to the longest."),
        "down": ("Start with the longest time.", "Sort the lines from the longest time to the shortest."),
        "kept": ("Keep the order in which they stand.", "Do not change their order."),
    }
    _units: ClassVar = (("hour", 3600), ("minute", 60), ("second", 1))

    def labels(self, rng: Random, count: int) -> list[str]:
        return people(rng, count)

    def draw(self, rng: Random) -> int:
        return rng.randint(1, 9) * 3600 + rng.choice((0, rng.randrange(10), rng.randrange(60))) * 60 + rng.randrange(60)

    def notation(self, value: int, rng: Random) -> str:
        hours, rest = divmod(value, 3600)
        minutes, seconds = divmod(rest, 60)
        if hours < 3 and rng.random() < 0.3:
            hours, minutes = 0, minutes + 60 * hours
        counts = zip((hours, minutes, seconds), self._units, strict=True)
        parts = [f"{count} {unit}{'' if count == 1 else 's'}" for count, (unit, _) in counts if count]
        return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)

    def value_of(self, text: str) -> int:
        sizes = dict(self._units)
        parts = [part.split(" ") for part in unlisted(text)]
        if not all(len(part) == 2 and part[1].removesuffix("s") in sizes for part in parts):
            raise ValueError(f"{text!r} is no duration")
        return sum(int(count) * sizes[unit.removesuffix("s")] for count, unit in parts)

    def shown(self, value: int, style: str) -> str:
        hours, rest = divmod(value, 3600)
        parts = {"HH": f"{hours:02}", "H": f"{hours}", "MM": f"{rest // 60:02}", "SS": f"{rest % 60:02}"}
        return re.sub("HH|H|MM|SS", lambda match: parts[match[0]], style)

    def seen(self, text: str, style: str) -> int:
        pattern = re.sub("HH|MM|SS", r"(\\d\\d)", style).replace("H", r"([1-9]\d*|0)")
        match = re.fullmatch(pattern, text)
        if not match:
            raise ValueError(f"{text!r} is not of the form {style}")
        return sum(int(number) * size for number, (_, size) in zip(match.groups(), self._units, strict=True))

    def slips(self, value: int, style: str) -> tuple[str, ...]:
        hours, rest = divmod(value, 3600)
        return f"{hours}:{rest // 60}:{rest % 60}", f"{hours * 60 + rest // 60}:{rest % 60:02}", str(value)


class Amounts(Labelled):
    """A conversion of plain sums of money to a currency format with separators; values are cents."""

    name = "amounts"
    what = "amount"
    label = "name"
    openings = (
        "Write each of these sums the way {style} is written.",
        "Format these amounts in the style of {style}, always with two decimals.",
        "On the statement a sum looks like {style}. Bring these amounts into that form.",
    )
    styles = ("$9,876,543.20", "€9.876.543,20", "USD 9,876,543.20", "9 876 543.20 EUR", "9'876'543.20 CHF")
    orders: ClassVar[Phrases] = {
        "up": ("Start with the smallest amount.", "Sort the lines from the smallest amount to the largest."),
        "down": ("Start with the largest amount.", "Sort the lines from the largest amount to the smallest."),
        "kept": ("Keep the order in which they stand.", "Do not change their order."),
    }

    def labels(self, rng: Random, count: int) -> list[str]:
        return people(rng, count)

    def draw(self, rng: Random) -> int:
        """Draw a sum in cents."""
        cents = rng.choice((0, 0, 10 * rng.randrange(10), rng.randrange(100)))
        return rng.randrange(10 ** rng.randint(2, 3), 10 ** rng.randint(4, 7)) * 100 + cents

    def notation(self, value: int, rng: Random) -> str:
        whole, cents = divmod(value, 100)
        if cents == 0:
            return rng.choice((f"{whole}", f"{whole}.00"))
        return f"{whole}.{cents:02}" if cents % 10 or rng.random() < 0.5 else f"{whole}.{cents // 10}"

    def value_of(self, text: str) -> int:
        whole, _, cents = text.partition(".")
        return int(whole) * 100 + int(cents.ljust(2, "0"))

    def shown(self, value: int, style: str) -> str:
        before, thousands, point, after = self._parts(style)
        whole = f"{value // 100:,}".replace(",", thousands)
        return f"{before}{whole}{point}{value % 100:02}{after}"

    @staticmethod
    def _parts(style: str) -> tuple[str, str, str, str]:
        match = re.fullmatch(r"(\D*)9(\D)876\D543(\D)20(\D*)", style)
        if not match:
            raise ValueError(f"{style!r} is no example of a sum")
        return match[1], match[2], match[3], match[4]

    def seen(self, text: str, style: str) -> int:
        before, thousands, point, after = map(re.escape, self._parts(style))
        if not re.fullmatch(rf"{before}\d{{1,3}}(?:{thousands}\d{{3}})*{point}\d\d{after}", text):
            raise ValueError(f"{text!r} is not written like {style}")
        return int(re.sub(r"\D", "", text))

    def slips(self, value: int, style: str) -> tuple[str, ...]:
        before, _, point, after = self._parts(style)
        shown = self.shown(value, style)
        return (
            f"{before}{value // 100}{point}{value % 100:02}{after}",
            f"{value / 100:.2f}",
            shown.replace(f"{point}00", ""),
        )


class PhoneNumbers(Labelled):
    """A conversion of phone numbers to one format; all are in the range for fiction, 555-0100 to 555-0199."""

    name = "phone_numbers"
    what = "number"
    label = "name"
    openings = (
        "Rewrite these phone numbers in the form {style}.",
        "Our address book writes every phone number as {style}. Convert these.",
        "Bring these telephone numbers into one form, {style}.",
    )
    styles = (
        "(XXX) XXX-XXXX", "XXX-XXX-XXXX", "XXX.XXX.XXXX", "+1 XXX XXX XXXX", "+1-XXX-XXX-XXXX", "+1 (XXX) XXX-XXXX",
        "1/XXX/XXX/XXXX",
    )  # fmt: skip
    orders: ClassVar[Phrases] = {
        "up": ("Start with the lowest area code.", "Sort the lines by area code, the lowest first."),
        "down": ("Start with the highest area code.", "Sort the lines by area code, the highest first."),
        "kept": ("Keep the order in which they stand.", "Do not change their order."),
    }

    def labels(self, rng: Random, count: int) -> list[str]:
        return people(rng, count)

    def facts(self, rng: Random) -> Facts:
        facts = super().facts(rng)
        areas = rng.sample(range(201, 990), len(facts["items"]))
        items = [(label, f"{area}{value[3:]}") for (label, value), area in zip(facts["items"], areas, strict=True)]
        return {**facts, "items": items}

    def draw(self, rng: Random) -> str:
        return f"20055501{rng.randrange(100):02}"

    def notation(self, value: str, rng: Random) -> str:
        return self.shown(
            value, rng.choice((*self.styles, "XXXXXXXXXX", "XXX XXX XXXX", "1XXXXXXXXXX", "XXX/XXX-XXXX"))
        )

    def value_of(self, text: str) -> str:
        digits = re.sub(r"\D", "", text)
        if len(digits) not in (10, 11):
            raise ValueError(f"{text!r} is no phone number")
        return digits[-10:]

    def shown(self, value: str, style: str) -> str:
        digits = iter(value)
        return "".join(next(digits) if sign == "X" else sign for sign in style)

    def seen(self, text: str, style: str) -> str:
        match = re.fullmatch(re.escape(style).replace("X", r"(\d)"), text)
        if not match:
            raise ValueError(f"{text!r} is not of the form {style}")
        return "".join(match.groups())

    def slips(self, value: str, style: str) -> tuple[str, ...]:
        return value, f"1{value}", self.shown(value, style).replace(" ", "")
