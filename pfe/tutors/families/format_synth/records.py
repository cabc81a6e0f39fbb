"""Format tasks that convert records from sentences to CSV, JSON, a Markdown table or a ranked list.

Example: "Convert these records to CSV with the header runner,minutes,club. Sort the rows by minutes, from low to
high.\\n\\nRuna Holm of Foxley Harriers finished in 52 minutes.\\n..." gives "runner,minutes,club\\nRuna Holm,52,Foxley
Harriers\\n...".
"""

import csv
import io
import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple

from pfe.tutors.families.format_synth.base import Instruction, Phrases, ascending, listed, meaning, unlisted, weave
from pfe.tutors.families.format_synth.words import FIRST, GOODS, TOWNS, people, titles, words
from pfe.tutors.family import Draft, Facts, unfill_any

Row = tuple[str, str, int]


class Theme(NamedTuple):
    """Records of two texts and a number from `least` to `most`; sentences have the gaps {a}, {b} and {n}."""

    fields: tuple[str, str, str]
    sentences: tuple[str, ...]
    least: int
    most: int


THEMES: Mapping[str, Theme] = {
    "races": Theme(
        ("runner", "club", "minutes"),
        (
            "{a} of {b} finished in {n:d} minutes.",
            "It took {a}, who runs for {b}, {n:d} minutes.",
            "With {n:d} minutes on the clock, {a} crossed the line for {b}.",
        ),
        31, 240,
    ),
    "books": Theme(
        ("title", "author", "pages"),
        (
            "“{a}” by {b} has {n:d} pages.",
            "{b} wrote “{a}”, which runs to {n:d} pages.",
            "At {n:d} pages, “{a}” is the work of {b}.",
        ),
        88, 940,
    ),
    "stock": Theme(
        ("product", "shelf", "units"),
        (
            "There are {n:d} units of {a} on shelf {b}.",
            "Shelf {b} holds {n:d} units of {a}.",
            "For {a}, we counted {n:d} units on shelf {b}.",
        ),
        12, 990,
    ),
    "people": Theme(
        ("name", "town", "age"),
        (
            "{a} is {n:d} years old and lives in {b}.",
            "In {b} lives {a}, aged {n:d}.",
            "{a}, {n:d}, comes from {b}.",
        ),
        18, 94,
    ),
    "pets": Theme(
        ("pet", "owner", "grams"),
        (
            "{a}, who belongs to {b}, weighs {n:d} grams.",
            "{b} brought in {a}, and the scale showed {n:d} grams.",
            "At {n:d} grams, {a} went home with {b}.",
        ),
        210, 9800,
    ),
    "trains": Theme(
        ("train", "destination", "seats"),
        (
            "Train {a} to {b} has {n:d} seats.",
            "For {b}, take train {a}, which has {n:d} seats.",
            "There are {n:d} seats on train {a}, bound for {b}.",
        ),
        96, 620,
    ),
}  # fmt: skip

ORDERS: Phrases = {
    "up": ("from low to high", "in ascending order", "lowest first", "from the smallest number to the largest"),
    "down": ("from high to low", "in descending order", "highest first", "from the largest number to the smallest"),
}


class Records(Instruction):
    """Three to six records, one sentence per line, to be sorted by their number.

    Facts: `theme`; `rows` in the order given; `columns` in the order requested; `order`, "up" or "down".
    """

    def facts(self, rng: Random) -> Facts:
        theme = rng.choice(list(THEMES))
        count = rng.randint(3, 6)
        numbers = rng.sample(range(THEMES[theme].least, THEMES[theme].most + 1), count)
        rows = list(zip(*_texts(theme, count, rng), numbers, strict=True))
        columns = rng.sample(THEMES[theme].fields, 3)
        return {"theme": theme, "rows": rows, "columns": columns, "order": rng.choice(list(ORDERS))}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {
            "columns": self.naming(facts["columns"]),
            "number": THEMES[facts["theme"]].fields[2],
            "order": rng.choice(ORDERS[facts["order"]]),
        }

    def naming(self, columns: Sequence[str]) -> str:
        """Return the column names as the instruction writes them."""
        return listed(columns)

    def unnaming(self, text: str) -> list[str]:
        """Return the columns from their text in the instruction (the inverse of `naming`)."""
        return unlisted(text)

    def data(self, facts: Facts, rng: Random) -> list[str]:
        sentences = THEMES[facts["theme"]].sentences
        return [rng.choice(sentences).format(a=a, b=b, n=n) for a, b, n in facts["rows"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        theme = next((name for name, theme in THEMES.items() if theme.fields[2] == gaps["number"]), None)
        if theme is None:
            raise ValueError(f"no records have {gaps['number']}")
        found = [unfill_any(THEMES[theme].sentences, line) for line in lines]
        rows = [(row["a"], row["b"], row["n"]) for row in found]
        order = meaning(ORDERS, gaps["order"])
        return {"theme": theme, "rows": rows, "columns": self.unnaming(gaps["columns"]), "order": order}

    def solution(self, facts: Facts, draft: Draft) -> str:
        number = THEMES[facts["theme"]].fields[2]
        numbers = ", ".join(str(row[2]) for row in _sorted(facts))
        return (
            f"There are {len(facts['rows'])} records, each with {listed(THEMES[facts['theme']].fields)}.\n"
            f"Sorted by {number} the records come in the order {numbers}.\n{self.remark(facts)}"
        )

    @abstractmethod
    def remark(self, facts: Facts) -> str:
        """Return the sentence of the worked solution about the format."""

    @abstractmethod
    def parse(self, facts: Facts, answer: str) -> list[dict[str, Any]]:
        """Parse the records from an output.

        Raises:
            ValueError: the output does not have the requested format.
        """

    def check(self, facts: Facts, answer: str) -> bool:
        try:
            rows = self.parse(facts, answer)
        except ValueError:
            return False
        fields = THEMES[facts["theme"]].fields
        told = {row[0]: dict(zip(fields, row, strict=True)) for row in facts["rows"]}
        numbers = [row[fields[2]] for row in rows]
        return (
            len(rows) == len(told)
            and all(told.get(row[fields[0]]) == row for row in rows)
            and ascending(numbers if facts["order"] == "up" else numbers[::-1])
        )


def _texts(theme: str, count: int, rng: Random) -> tuple[Sequence[str], Sequence[str]]:
    """Draw the two texts of each record; no first text repeats."""
    if theme == "races":
        return people(rng, count), [f"{rng.choice(TOWNS)} {rng.choice(('Harriers', 'Striders'))}" for _ in range(count)]
    if theme == "books":
        return titles(rng, count), people(rng, count)
    if theme == "stock":
        return rng.sample(GOODS, count), [f"{rng.choice('ABCDEFGH')}{rng.randint(1, 19)}" for _ in range(count)]
    if theme == "people":
        return people(rng, count), rng.choices(TOWNS, k=count)
    if theme == "pets":
        return rng.sample(_PETS, count), rng.sample(FIRST, count)
    return [f"{rng.choice('KLRT')}{n}" for n in rng.sample(range(100, 1000), count)], rng.choices(TOWNS, k=count)


_PETS = words("Biscuit Button Cocoa Comet Domino Fig Ginger Hazel Inky Jumper Kiwi Mango Nutmeg Olive Pepper")


def _sorted(facts: Facts, backwards: bool = False) -> list[Row]:
    return sorted(facts["rows"], key=lambda row: row[2], reverse=(facts["order"] == "down") != backwards)


def _arranged(facts: Facts, rows: Iterable[Row]) -> list[list[str | int]]:
    """Return the rows with their cells in the order of the columns."""
    fields = THEMES[facts["theme"]].fields
    return [[row[fields.index(column)] for column in facts["columns"]] for row in rows]


class CsvRecords(Records):
    """A CSV output: a header line and comma-separated rows."""

    name = "csv_records"
    asks: ClassVar = weave(
        (
            "Convert these records to CSV with the header {columns}.",
            "Rewrite these notes as comma-separated values whose first line is {columns}.",
            "I need these facts as a CSV file. Its first line must read {columns}.",
        ),
        (
            "Sort the rows by {number}, {order}.",
            "The rows have to be sorted by {number}, {order}.",
        ),
        (
            "Put no spaces around the commas and no quotation marks anywhere.",
            "Use neither quotation marks nor spaces next to the commas.",
        ),
    )

    def naming(self, columns: Sequence[str]) -> str:
        return ",".join(columns)

    def unnaming(self, text: str) -> list[str]:
        return text.split(",")

    def solve(self, facts: Facts) -> str:
        return "\n".join(",".join(map(str, row)) for row in [facts["columns"], *_arranged(facts, _sorted(facts))])

    def forms(self, facts: Facts) -> Iterable[str]:
        for rows in (_sorted(facts), facts["rows"], _sorted(facts, backwards=True)):
            table = [facts["columns"], *_arranged(facts, rows)]
            for comma in (",", ", ", ";", "\t"):
                for quote in ("", '"'):
                    for start in (0, 1):
                        yield "\n".join(comma.join(f"{quote}{cell}{quote}" for cell in row) for row in table[start:])

    def parse(self, facts: Facts, answer: str) -> list[dict[str, Any]]:
        if '"' in answer or re.search(r" ,|, |[;\t]", answer):
            raise ValueError("quotation marks, or something beside the commas")
        reader = csv.DictReader(io.StringIO(answer), strict=True)
        if reader.fieldnames != facts["columns"]:
            raise ValueError("another header")
        number = THEMES[facts["theme"]].fields[2]
        return [{**row, number: int(row[number])} for row in reader]

    def remark(self, facts: Facts) -> str:
        return f"The first line is the header {','.join(facts['columns'])}; then comes one line for each record."


class MarkdownTable(Records):
    """A Markdown table with outer pipes."""

    name = "markdown_table"
    asks: ClassVar = weave(
        (
            "Set these records out as a Markdown table with the columns {columns}, in that order.",
            "Make a Markdown table of these facts. Its columns are {columns}, from left to right.",
            "Turn these notes into a table in Markdown; the columns, in this order, are {columns}.",
        ),
        (
            "Sort the rows by {number}, {order}.",
            "Order the rows by {number}, {order}.",
        ),
        (
            "Every line begins and ends with a pipe, every cell has one space on each side, and the cells of the line "
            "under the header are three hyphens.",
            "Use pipes at both ends of each line, exactly one space on either side of every cell, and --- in every "
            "cell of the separator line.",
        ),
    )

    def solve(self, facts: Facts) -> str:
        return self._table(facts, _sorted(facts), "| {} |", "---")

    def _table(self, facts: Facts, rows: Iterable[Row], edges: str, rule: str) -> str:
        inner = [facts["columns"], *([[rule] * 3] if rule else []), *_arranged(facts, rows)]
        return "\n".join(edges.format(" | ".join(map(str, row))) for row in inner)

    def forms(self, facts: Facts) -> Iterable[str]:
        for rows in (_sorted(facts), facts["rows"], _sorted(facts, backwards=True)):
            for edges in ("| {} |", "{}", "{} |"):
                for rule in ("---", "", ":---", "-----"):
                    yield self._table(facts, rows, edges, rule)

    def parse(self, facts: Facts, answer: str) -> list[dict[str, Any]]:
        found = [re.fullmatch(r"\| (\S.*?) \| (\S.*?) \| (\S.*?) \|", line) for line in answer.split("\n")]
        cells = [list(match.groups()) for match in found if match]
        if len(cells) < len(found) or cells[:2] != [facts["columns"], ["---"] * 3]:
            raise ValueError("another header, or a line of another form")
        number = THEMES[facts["theme"]].fields[2]
        rows = [dict(zip(facts["columns"], row, strict=True)) for row in cells[2:]]
        return [{**row, number: int(row[number])} for row in rows]

    def remark(self, facts: Facts) -> str:
        return f"The header has the cells {listed(facts['columns'])}; the line below it separates it from the rows."


class JsonRecords(Records):
    """A JSON array of objects."""

    name = "json_records"
    asks: ClassVar = weave(
        (
            "Give these records as a JSON array of objects with the keys {columns}.",
            "Write a JSON array with one object for each of these records; the keys are {columns}.",
            "A program will read these facts as JSON: an array of objects, each with the keys {columns}.",
        ),
        (
            "Sort the objects by {number}, {order}.",
            "The objects come sorted by {number}, {order}.",
        ),
        (
            "The value of {number} is a number, everything else is a string.",
            "Only {number} is a number; the other values are strings.",
        ),
    )

    def solve(self, facts: Facts) -> str:
        return json.dumps(self._objects(facts, _sorted(facts)), ensure_ascii=False)

    def _objects(self, facts: Facts, rows: Iterable[Row]) -> list[dict[str, str | int]]:
        return [dict(zip(facts["columns"], row, strict=True)) for row in _arranged(facts, rows)]

    def forms(self, facts: Facts) -> Iterable[str]:
        for rows in (_sorted(facts), facts["rows"], _sorted(facts, backwards=True)):
            objects = self._objects(facts, rows)
            texts = [{key: str(value) for key, value in item.items()} for item in objects]
            for value in (objects, texts, {"records": objects}, _arranged(facts, rows)):
                yield json.dumps(value, ensure_ascii=False)
                yield repr(value)
            yield "\n".join(json.dumps(item, ensure_ascii=False) for item in objects)

    def parse(self, facts: Facts, answer: str) -> list[dict[str, Any]]:
        value = json.loads(answer)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise ValueError("not an array of objects")
        if not all(item.keys() == set(facts["columns"]) for item in value):
            raise ValueError("other keys")
        return value

    def remark(self, facts: Facts) -> str:
        return f"Each object has the keys {listed(facts['columns'])}, with a bare number only where one is asked for."


class RankedList(Records):
    """A numbered or bulleted list with the number of each record in round or square brackets."""

    name = "ranked_list"
    asks: ClassVar = weave(
        (
            "List these by {number}, {order}.",
            "Make a list of these, sorted by {number}, {order}.",
            "Put these in order by {number}, {order}.",
        ),
        (
            "Write one line for each: {mark}, a space, the {columns} and the {number} in {brackets}.",
            "Every line starts with {mark} and a space, then comes the {columns}, then the {number} in {brackets}.",
        ),
        ("Leave out everything else.", "Nothing else belongs in the list."),
    )
    _marks: ClassVar[Phrases] = {
        "1.": ("its rank and a full stop", "the rank followed by a full stop"),
        "1)": ("its rank and a closing parenthesis", "the rank followed by a closing parenthesis"),
        "-": ("a hyphen",),
        "*": ("an asterisk",),
    }
    _brackets: ClassVar[Phrases] = {"()": ("round brackets", "parentheses"), "[]": ("square brackets",)}

    def facts(self, rng: Random) -> Facts:
        facts = super().facts(rng)
        field = THEMES[facts["theme"]].fields[0]
        mark, brackets = rng.choice(list(self._marks)), rng.choice(list(self._brackets))
        return {**facts, "columns": [field], "mark": mark, "brackets": brackets}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {
            **super().wording(facts, rng),
            "mark": rng.choice(self._marks[facts["mark"]]),
            "brackets": rng.choice(self._brackets[facts["brackets"]]),
        }

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        mark, brackets = meaning(self._marks, gaps["mark"]), meaning(self._brackets, gaps["brackets"])
        return {**super().understand(gaps, lines), "mark": mark, "brackets": brackets}

    def solve(self, facts: Facts) -> str:
        return self._list(_sorted(facts), facts["mark"], facts["brackets"])

    def _list(self, rows: Iterable[Row], mark: str, brackets: str) -> str:
        return "\n".join(
            f"{mark.replace('1', str(rank))} {row[0]} {brackets[:1]}{row[2]}{brackets[1:]}"
            for rank, row in enumerate(rows, 1)
        )

    def forms(self, facts: Facts) -> Iterable[str]:
        for rows in (_sorted(facts), facts["rows"], _sorted(facts, backwards=True)):
            for mark in self._marks:
                for brackets in self._brackets:
                    yield self._list(rows, mark, brackets)

    def parse(self, facts: Facts, answer: str) -> list[dict[str, Any]]:
        left, right = map(re.escape, facts["brackets"])
        texts = {row[0]: row[1] for row in facts["rows"]}
        fields, rows = THEMES[facts["theme"]].fields, []
        for rank, line in enumerate(answer.split("\n"), 1):
            mark = re.escape(facts["mark"].replace("1", str(rank)))
            match = re.fullmatch(rf"{mark} (.+) {left}(\d+){right}", line)
            if not match or match[1] not in texts:
                raise ValueError(f"line {rank} has another form")
            rows.append(dict(zip(fields, (match[1], texts[match[1]], int(match[2])), strict=True)))
        return rows

    def remark(self, facts: Facts) -> str:
        first = self.solve(facts).partition("\n")[0]
        return f"This is the first line, and the others follow its pattern:\n{first}"
