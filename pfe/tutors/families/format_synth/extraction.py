"""Format tasks that extract facts from sentences as a JSON object or as references.

Example: "Turn this message into a JSON object. Its keys are guest (string), ...\\n\\nMei Tanaka here. ..." gives
'{"guest": "Mei Tanaka", "seats": 4, "date": "2026-03-05", "dog": true}'.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.format_synth.base import Instruction, Phrases, ascending, meaning, weave
from pfe.tutors.families.format_synth.values import MONTHS
from pfe.tutors.families.format_synth.words import PRESSES, TOWNS, cells, lines, people, titles
from pfe.tutors.family import Draft, Facts, unfill_any

FLAGS = {
    key: (yes, no)
    for key, yes, no in map(
        cells,
        lines("""
        dog | Our dog will come along. | We will leave the dog at home.
        high_chair | We need a high chair for the baby. | There is no need for a high chair.
        parking | Please keep a parking space for us. | We come by train and need no parking space.
        vegetarian | All of us are vegetarians. | None of us is a vegetarian.
        window | We would love to sit by the window. | It need not be by the window.
        first_visit | It will be our first visit. | We have been your guests before.
        birthday | It is a birthday, so a cake would be lovely. | It is no birthday or anything special.
        outdoors | If possible, we want to sit outdoors. | We want to sit indoors.
        step_free | One of us uses a wheelchair, so we need a step-free way in. | Stairs are no trouble for us.
        """),
    )
}


class BookingJson(Instruction):
    """A conversion of a booking message to a JSON object with a string, an integer, a date and a boolean.

    Facts: `who`; `people`; `day`; `flag`, a key of FLAGS; `yes`, its value; `keys`, the four keys in order.
    """

    name = "booking_json"
    asks: ClassVar = weave(
        (
            "Turn this message into a JSON object.",
            "Extract the booking from this message as a JSON object.",
            "Read the message and answer with a JSON object only.",
        ),
        (
            "Its keys are {who} (string), {people} (integer), {day} (string, YYYY-MM-DD) and {flag} (true or false).",
            "Give it four keys: {who}, a string; {people}, an integer; {day}, a string of the form YYYY-MM-DD; and "
            "{flag}, which is true or false.",
        ),
    )
    _messages = tuple(
        f"{greeting} {request} {{flag}} {{end}}"
        for greeting in ("Hello, this is {who}.", "Good evening! My name is {who}.", "{who} here.")
        for request in (
            "I would like a table for {people:d} on {day}.",
            "Could you keep {people:d} places for us on {day}?",
            "On {day} there will be {people:d} of us for dinner.",
            "Please book us in for {day}; we are {people:d} in all.",
        )
    )
    _ends = ("Thank you!", "Many thanks.", "See you then!", "Please confirm.", "Kind regards")
    _keys = (
        ("guest", "name", "customer", "booked_by", "contact"),
        ("people", "party_size", "seats", "guests", "places"),
        ("date", "day", "booking_date", "when"),
    )

    def facts(self, rng: Random) -> Facts:
        flag = rng.choice(list(FLAGS))
        return {
            "who": people(rng, 1)[0],
            "people": rng.randint(2, 19),
            "day": date(2024, 1, 1) + timedelta(days=rng.randrange(1800)),
            "flag": flag,
            "yes": rng.random() < 0.5,
            "keys": [*map(rng.choice, self._keys), flag],
        }

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return dict(zip(("who", "people", "day", "flag"), facts["keys"], strict=True))

    def data(self, facts: Facts, rng: Random) -> list[str]:
        day = facts["day"]
        month = MONTHS[day.month - 1]
        written = rng.choice((f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"))
        flag, end = FLAGS[facts["flag"]][0 if facts["yes"] else 1], rng.choice(self._ends)
        gaps = {"who": facts["who"], "people": facts["people"], "day": written, "flag": flag, "end": end}
        return [rng.choice(self._messages).format(**gaps)]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        yes = lines[0].count(FLAGS[gaps["flag"]][0]) == 1
        told = unfill_any((m.replace("{flag}", FLAGS[gaps["flag"]][0 if yes else 1]) for m in self._messages), lines[0])
        parts = told["day"].replace(",", "").split(" ")
        day, month = parts[:2] if parts[0].isdigit() else parts[1::-1]
        return {
            "who": told["who"],
            "people": told["people"],
            "day": date(int(parts[2]), MONTHS.index(month) + 1, int(day)),
            "flag": gaps["flag"],
            "yes": yes,
            "keys": [gaps["who"], gaps["people"], gaps["day"], gaps["flag"]],
        }

    def _object(self, facts: Facts) -> dict[str, Any]:
        values = (facts["who"], facts["people"], facts["day"].isoformat(), facts["yes"])
        return dict(zip(facts["keys"], values, strict=True))

    def solve(self, facts: Facts) -> str:
        return json.dumps(self._object(facts))

    def forms(self, facts: Facts) -> Iterable[str]:
        right = self._object(facts)
        who, people, day, flag = facts["keys"]
        for change in (
            {},
            {people: str(facts["people"])},
            {day: facts["day"].strftime("%d.%m.%Y")},
            {day: facts["day"].strftime("%Y-%d-%m")},
            {flag: "yes" if facts["yes"] else "no"},
            {flag: not facts["yes"]},
            {who: facts["who"].split(" ")[0]},
        ):
            yield json.dumps(right | change)
            yield repr(right | change)
            yield json.dumps([right | change])

    def check(self, facts: Facts, answer: str) -> bool:
        try:
            value = json.loads(answer)
        except ValueError:
            return False
        if not isinstance(value, dict) or list(value) != facts["keys"]:
            return False
        who, people, day, flag = value.values()
        written = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", str(day))
        return (
            who == facts["who"]
            and type(people) is int
            and people == facts["people"]
            and written is not None
            and tuple(map(int, written.groups())) == (facts["day"].year, facts["day"].month, facts["day"].day)
            and flag is facts["yes"]
        )

    def solution(self, facts: Facts, draft: Draft) -> str:
        who, people, day, flag = facts["keys"]
        return (
            f"{facts['who']} asks, for {facts['people']} people: {who} is text, {people} a bare number.\n"
            f"{day} is {facts['day'].isoformat()}.\n"
            f"The message says “{FLAGS[flag][0 if facts['yes'] else 1]}”, so {flag} is {str(facts['yes']).lower()}."
        )


class Citations(Instruction):
    """A conversion of books from sentences to references in a given style.

    Facts: `books`, each with the keys first, Surname, Title, Year, Publisher and Town; `style`, one of `_styles`;
    `order`, "surname", "year" or "kept".
    """

    name = "citations"
    asks: ClassVar = weave(
        (
            "Write a reference for each of these books in the form “{style}”, with the full stop at its end.",
            "Our list of references has the form “{style}”, full stop at the end included. Put these books into it.",
            "Cite these books in the form “{style}”; the full stop at the end belongs to it.",
        ),
        ("I stands for the first letter of the first name.", "Here I is the initial of the first name."),
        ("One reference a line; {order}.", "Give every reference its own line; {order}."),
    )
    _styles = (
        "Surname, I. (Year). Title. Town: Publisher.",
        "I. Surname, Title (Town: Publisher, Year).",
        "Surname, I.: Title. Publisher, Town, Year.",
        "Surname I. Title. Town: Publisher; Year.",
        "I. Surname (Year): Title, Publisher, Town.",
    )
    _orders: ClassVar[Phrases] = {
        "surname": ("sort them by surname, A to Z", "the surnames are in alphabetical order"),
        "year": ("sort them by year, the oldest first", "the oldest book comes first"),
        "kept": ("keep their order", "leave them in this order"),
    }
    _sentences = (
        "{first} {Surname} published “{Title}” with {Publisher} of {Town} in {Year}.",
        "In {Year}, {Publisher} ({Town}) brought out “{Title}” by {first} {Surname}.",
        "“{Title}” by {first} {Surname} came out at {Publisher}, {Town}, in {Year}.",
        "{Publisher} in {Town} printed {first} {Surname}'s “{Title}” in {Year}.",
    )

    def facts(self, rng: Random) -> Facts:
        count = rng.randint(2, 4)
        years = rng.sample(range(1962, 2024), count)
        books = [
            dict(zip(("first", "Surname"), name.split(" "), strict=True))
            | {"Title": title, "Year": str(year), "Publisher": rng.choice(PRESSES), "Town": rng.choice(TOWNS)}
            for name, title, year in zip(people(rng, count), titles(rng, count), years, strict=True)
        ]
        return {"books": books, "style": rng.choice(self._styles), "order": rng.choice(list(self._orders))}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {"style": facts["style"], "order": rng.choice(self._orders[facts["order"]])}

    def data(self, facts: Facts, rng: Random) -> list[str]:
        return [rng.choice(self._sentences).format(**book) for book in facts["books"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        style = next(style for style in self._styles if gaps["style"].startswith(style.rstrip(".")))
        books = [unfill_any(self._sentences, line) for line in lines]
        return {"books": books, "style": style, "order": meaning(self._orders, gaps["order"])}

    def solve(self, facts: Facts) -> str:
        return "\n".join(_reference(book, facts["style"]) for book in self._ordered(facts))

    def _ordered(self, facts: Facts) -> list[dict[str, str]]:
        key = {"surname": "Surname", "year": "Year"}.get(facts["order"])
        return sorted(facts["books"], key=lambda book: book[key]) if key else list(facts["books"])

    def forms(self, facts: Facts) -> Iterable[str]:
        for order in self._orders:
            books = self._ordered({**facts, "order": order})
            for style in self._styles:
                for change in (
                    style,
                    style.replace("I.", "first"),
                    style.replace("Title", "“Title”"),
                    style.rstrip("."),
                ):
                    yield "\n".join(_reference(book, change) for book in books)

    def check(self, facts: Facts, answer: str) -> bool:
        pattern = re.sub(r"Surname|Title|Year|Town|Publisher", r"(?P<\g<0>>[^“”]+?)", re.escape(facts["style"]))
        pattern = re.sub(r"\bI\b", "(?P<I>[A-Z])", pattern)
        found = [re.fullmatch(pattern, line) for line in answer.split("\n")]
        books = [match.groupdict() for match in found if match]
        told = [{**book, "I": book["first"][0]} for book in facts["books"]]
        if (
            len(books) < len(found)
            or not all(any(book.items() <= other.items() for other in told) for book in books)
            or len({book["Title"] for book in books}) != len(told)
        ):
            return False
        surnames, years = [book["Surname"] for book in books], [book["Year"] for book in books]
        kept = [book["Title"] for book in books] == [book["Title"] for book in told]
        return {"surname": ascending(surnames), "year": ascending(years), "kept": kept}[facts["order"]]

    def solution(self, facts: Facts, draft: Draft) -> str:
        steps = [
            f"{book['first']} {book['Surname']} is shortened to the initial {book['first'][0]}."
            for book in facts["books"]
        ]
        order = {
            "surname": "in the order of the surnames",
            "year": "from the oldest to the newest",
            "kept": "in the order given",
        }
        return "\n".join([*steps, f"The references stand {order[facts['order']]}."])


def _reference(book: Mapping[str, str], style: str) -> str:
    parts = {**book, "I": book["first"][0]}
    return re.sub(r"\b(?:Surname|first|Title|Year|Town|Publisher|I)\b", lambda match: parts[match[0]], style)
