"""Format tasks that write groups and pairs as an INI file, a nested list or a query string.

Example: "Build the address /search with these parameters as its query string. ...\\n\\ncolor: dark blue\\npage: 2"
gives "/search?color=dark+blue&page=2".
"""

import configparser
import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import ClassVar
from urllib.parse import parse_qsl, quote

from pfe.tutors.families.format_synth.base import Instruction, Phrases, ascending, listed, meaning, unlisted, weave
from pfe.tutors.families.format_synth.words import EVENTS, GOODS, TOWNS, cells, lines, people
from pfe.tutors.family import Draft, Facts, unfill_any

SECTIONS = {
    section: [cells(value.replace("/", "|")) for value in values]
    for section, *values in map(
        cells,
        lines("""
        server | port / 8080 / 8443 / 9000 | host / localhost / example.org | workers / 2 / 4 / 16 | timeout / 30 / 90
        database | engine / sqlite / postgres | name / shop / archive / books | pool / 5 / 10 / 20 | retries / 1 / 3 / 7
        logging | level / debug / info / warning | file / app.log / errors.log | keep / 7 / 14 / 30 | color / yes / no
        display | theme / dark / light / sepia | width / 800 / 1280 / 1920 | zoom / 100 / 125 / 150 | grid / on / off
        mail | sender / desk@example.org / post@example.org | limit / 25 / 50 / 200 | secure / true / false
        backup | hour / 2 / 3 / 23 | target / disk / tape / vault | copies / 2 / 3 / 5 | verify / yes / no
        audio | volume / 40 / 65 / 80 | device / speakers / headset | rate / 44100 / 48000 | mute / on / off
        cache | size / 64 / 256 / 512 | policy / lru / lfu / fifo | ttl / 60 / 300 / 3600 | shared / true / false
        printer | paper / a4 / a5 / letter | copies / 1 / 2 / 4 | duplex / on / off | tray / upper / lower
        game | speed / slow / normal / fast | lives / 3 / 5 / 9 | level / easy / hard | music / on / off
        """),
    )
}


class IniSections(Instruction):
    """A conversion of settings from sentences to an INI file.

    Facts: `sections`, pairs of a name and its settings (pairs); `sign`, the text between key and value;
    `gap`, the line breaks between sections; `order` of sections and keys, "sorted" or "kept".
    """

    name = "ini_sections"
    asks: ClassVar = weave(
        (
            "Write these settings as an INI file, with each section name in square brackets on its own line.",
            "Turn this description into an INI file. The section names stand in square brackets, each on its own line.",
            "Make an INI file of these notes; every section starts with a line that holds its name in square brackets.",
        ),
        ("Write {sign} between key and value, and {gap} between sections.",),
        ("{order}",),
    )
    _signs: ClassVar[Phrases] = {
        "=": ("an equals sign without spaces", "= without spaces"),
        " = ": ("an equals sign with one space on each side", "= with a space on either side"),
    }
    _gaps: ClassVar[Phrases] = {"\n\n": ("an empty line", "one blank line"), "\n": ("no empty line", "no blank line")}
    _orders: ClassVar[Phrases] = {
        "sorted": (
            "Sort the sections alphabetically, and the keys within each section too.",
            "Sections, and the keys in every section, come in alphabetical order.",
        ),
        "kept": ("Keep sections and keys in the order given.", "Leave the order as it is."),
    }
    _sentences = (
        "In the {section} section, set {settings}.",
        "For {section}, set {settings}.",
        "The {section} section sets {settings}.",
        "Under {section}, please set {settings}.",
    )

    def facts(self, rng: Random) -> Facts:
        sections = []
        for section in rng.sample(list(SECTIONS), rng.randint(2, 4)):
            keys = rng.sample(SECTIONS[section], rng.randint(2, 3))
            sections.append((section, [(key, rng.choice(values)) for key, *values in keys]))
        pick = {"sign": self._signs, "gap": self._gaps, "order": self._orders}
        return {"sections": sections} | {name: rng.choice(list(phrases)) for name, phrases in pick.items()}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        pick = {"sign": self._signs, "gap": self._gaps, "order": self._orders}
        return {name: rng.choice(phrases[facts[name]]) for name, phrases in pick.items()}

    def data(self, facts: Facts, rng: Random) -> list[str]:
        return [
            rng.choice(self._sentences).format(
                section=section, settings=listed([f"{key} to {value}" for key, value in settings])
            )
            for section, settings in facts["sections"]
        ]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        sections = []
        for line in lines:
            told = unfill_any(self._sentences, line)
            pairs = [setting.split(" to ") for setting in unlisted(told["settings"])]
            sections.append((told["section"], [(key, value) for key, value in pairs]))
        pick = {"sign": self._signs, "gap": self._gaps, "order": self._orders}
        return {"sections": sections} | {name: meaning(phrases, gaps[name]) for name, phrases in pick.items()}

    def solve(self, facts: Facts) -> str:
        sections = facts["sections"]
        if facts["order"] == "sorted":
            sections = sorted((section, sorted(settings)) for section, settings in sections)
        blocks = [
            "\n".join([f"[{section}]", *(f"{key}{facts['sign']}{value}" for key, value in settings)])
            for section, settings in sections
        ]
        return str(facts["gap"]).join(blocks)

    def forms(self, facts: Facts) -> Iterable[str]:
        for sign in (*self._signs, ": "):
            for gap in self._gaps:
                for order in self._orders:
                    form = self.solve({**facts, "sign": sign, "gap": gap, "order": order})
                    yield from (form, form.replace("[", "").replace("]", ""), form.replace("[", "<").replace("]", ">"))

    def check(self, facts: Facts, answer: str) -> bool:
        parser = configparser.ConfigParser(delimiters="=", interpolation=None)
        try:
            parser.read_string(answer)
        except configparser.Error:
            return False
        found = {name: dict(parser[name]) for name in parser.sections()}
        told = {name: dict(settings) for name, settings in facts["sections"]}
        orders = [list(found), *(list(found[name]) for name in found)]
        kept = [list(told), *(list(told.get(name, ())) for name in found)]
        in_order = all(map(ascending, orders)) if facts["order"] == "sorted" else orders == kept
        spaced = {bool(re.search(" = ", line)) for line in answer.split("\n") if "=" in line}
        empty = answer.split("\n").count("")
        return (
            found == told
            and in_order
            and spaced == {facts["sign"] == " = "}
            and empty == (len(told) - 1 if facts["gap"] == "\n\n" else 0)
        )

    def solution(self, facts: Facts, draft: Draft) -> str:
        counts = [f"[{section}] has {len(settings)} settings" for section, settings in facts["sections"]]
        order = "Sections and keys are sorted." if facts["order"] == "sorted" else "The order stays as it is."
        return f"{listed(counts)}.\n{order}\nA setting looks like {'{}{}{}'.format('key', facts['sign'], 'value')}."


class Outline(Instruction):
    """A conversion of groups and their members to a nested list.

    Facts: `groups`, pairs of a heading and its members; `outer` and `inner`, the list marks of the two levels;
    `indent` of the members, in spaces; `order` of the members, "sorted" or "kept".
    """

    name = "outline"
    asks: ClassVar = weave(
        (
            "Write this as a nested list.",
            "Turn these lines into a nested list.",
            "Make an outline with two levels of this.",
        ),
        (
            "A heading starts with {outer} and a space; below it, each member has a line of its own, indented by "
            "{indent:d} spaces and starting with {inner} and a space.",
            "Put {outer} and a space before every heading. Its members follow one a line, each after {indent:d} "
            "spaces, {inner} and one more space.",
        ),
        ("{order}",),
    )
    _marks: ClassVar[Phrases] = {
        "-": ("a hyphen",),
        "*": ("an asterisk",),
        "+": ("a plus sign",),
        "1.": ("a number (counting from 1) and a full stop",),
        "1)": ("a number (counting from 1) and a closing parenthesis",),
    }
    _orders: ClassVar[Phrases] = {
        "sorted": (
            "Keep the headings in order, but sort the lines under each from A to Z, by how they begin.",
            "The headings stay in order; the lines under each one are sorted alphabetically, by how they begin.",
        ),
        "kept": ("Keep everything in the order given.", "Change no order."),
    }
    _shapes = ("{}: {}", "{} – {}", "{} has {}")

    def facts(self, rng: Random) -> Facts:
        count = rng.randint(2, 4)
        heads, members = rng.choice((
            (rng.sample(TOWNS, count), people(rng, 16)),
            ([f"Shelf {n}" for n in rng.sample(range(1, 60), count)], rng.sample(GOODS, 16)),
            ([f"Week {n}" for n in sorted(rng.sample(range(1, 53), count))], rng.sample(EVENTS, 16)),
            (people(rng, count), rng.sample(GOODS, 16)),
        ))  # fmt: skip
        groups = [(head, [members.pop() for _ in range(rng.randint(2, 4))]) for head in heads]
        outer = rng.choice(list(self._marks))
        inner = rng.choice([mark for mark in self._marks if mark != outer])
        order = rng.choice(list(self._orders))
        return {"groups": groups, "outer": outer, "inner": inner, "indent": rng.choice((2, 3, 4)), "order": order}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        marks = {key: rng.choice(self._marks[facts[key]]) for key in ("outer", "inner")}
        return {**marks, "indent": facts["indent"], "order": rng.choice(self._orders[facts["order"]])}

    def data(self, facts: Facts, rng: Random) -> list[str]:
        shape = rng.choice(self._shapes)
        return [shape.format(head, ", ".join(members)) for head, members in facts["groups"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        found = [re.fullmatch(r"(.+?)(?:: | – | has )(.+)", line) for line in lines]
        groups = [(match[1], match[2].split(", ")) for match in found if match]
        if len(groups) < len(lines):
            raise ValueError("a line has no members")
        marks = {key: meaning(self._marks, gaps[key]) for key in ("outer", "inner")}
        order = meaning(self._orders, gaps["order"])
        return {"groups": groups, **marks, "indent": int(gaps["indent"]), "order": order}

    def solve(self, facts: Facts) -> str:
        written = []
        for number, (head, members) in enumerate(facts["groups"], 1):
            written.append(f"{facts['outer'].replace('1', str(number))} {head}")
            for place, member in enumerate(sorted(members) if facts["order"] == "sorted" else members, 1):
                written.append(f"{' ' * facts['indent']}{facts['inner'].replace('1', str(place))} {member}")
        return "\n".join(written)

    def forms(self, facts: Facts) -> Iterable[str]:
        for outer, inner in (
            (facts["outer"], facts["inner"]),
            (facts["inner"], facts["outer"]),
            ("-", "-"),
            ("*", "*"),
        ):
            for indent in (0, 1, 2, 3, 4, 8):
                for order in self._orders:
                    yield self.solve({**facts, "outer": outer, "inner": inner, "indent": indent, "order": order})

    def check(self, facts: Facts, answer: str) -> bool:
        found: list[tuple[str, list[str]]] = []
        for line in answer.split("\n"):
            if line.startswith(" " * facts["indent"]) and found:
                body, mark, place = line[facts["indent"] :], facts["inner"], len(found[-1][1]) + 1
                found[-1][1].append(body.removeprefix(mark.replace("1", str(place)) + " "))
            else:
                body, mark, place = line, facts["outer"], len(found) + 1
                found.append((body.removeprefix(mark.replace("1", str(place)) + " "), []))
            if not body.startswith(mark.replace("1", str(place)) + " "):
                return False
        if facts["order"] == "kept":
            return bool(found == facts["groups"])
        told = [(head, set(members)) for head, members in facts["groups"]]
        return told == [(head, set(members)) for head, members in found] and all(ascending(group[1]) for group in found)

    def solution(self, facts: Facts, draft: Draft) -> str:
        counts = [f"{head} has {len(members)} members" for head, members in facts["groups"]]
        first = self.solve(facts).split("\n")[:2]
        return "\n".join((f"{listed(counts)}.", "The list begins with these two lines:", *first))


PARAMETERS = {
    key: values
    for key, *values in map(
        cells,
        lines("""
        color | dark blue | pale green | off white | black & white | rose
        size | extra large | small | 38/40 | one size
        sort | price | newest first | most liked | name
        page | 1 | 2 | 3 | 7 | 12 | 25
        q | salt & pepper | rain coat | desk lamp | C# course | bread + butter | wool socks
        city | New Ashcombe | Upper Foxley | Hollin | East Marlow
        brand | Alder & Sons | Bluebird | Holm Brothers | Quill and Stone
        max_price | 20 | 49.50 | 100 | 250
        in_stock | yes | no
        rating | 3 | 4 | 4.5
        category | bed & bath | toys/games | garden tools | books
        lang | en | pt | sv | tr
        from | 2024-03-01 | 2025-11-20 | 09:30 | noon
        tag | half price | 50% off | last chance | new
        material | cotton/linen | solid oak | stainless steel | glass
        """),
    )
}


class QueryString(Instruction):
    """A conversion of parameters to the query string of an address.

    Facts: `path`; `parameters` (pairs); `space`, the encoding of a space; `order`, "sorted" or "kept".
    """

    name = "query_string"
    asks: ClassVar = weave(
        (
            "Build the address {path} with these parameters as its query string.",
            "Append these parameters to {path} as a query string.",
            "A browser is to open {path} with the parameters given here. Write the address with its query string.",
        ),
        (
            "Write a space as {space}, leave letters, digits, underscores, hyphens and full stops as they are, and "
            "percent-encode every other character of a value.",
            "In the values a space becomes {space}; letters, digits and the signs _ - . stay; anything else is "
            "percent-encoded with capital letters.",
        ),
        ("{order}",),
    )
    _orders: ClassVar[Phrases] = {
        "sorted": ("Sort the parameters by name.", "The parameters are in alphabetical order of their names."),
        "kept": ("Keep the parameters in order.", "The parameters stay in the order given."),
    }
    _paths = ("/search", "/shop", "/find", "/catalog/list", "/items", "/api/v2/offers", "/deals", "/market/browse")

    def facts(self, rng: Random) -> Facts:
        keys = rng.sample(list(PARAMETERS), rng.randint(3, 5))
        return {
            "path": rng.choice(self._paths),
            "parameters": [(key, rng.choice(PARAMETERS[key])) for key in keys],
            "space": rng.choice(("+", "%20")),
            "order": rng.choice(list(self._orders)),
        }

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        order = rng.choice(self._orders[facts["order"]])
        return {"path": facts["path"], "space": facts["space"], "order": order}

    def data(self, facts: Facts, rng: Random) -> list[str]:
        shape = rng.choice(("{}: {}", "{} is {}", "{} → {}"))
        return [shape.format(key, value) for key, value in facts["parameters"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        found = [re.fullmatch(r"(\w+)(?:: | is | → )(.+)", line) for line in lines]
        parameters = [(match[1], match[2]) for match in found if match]
        if len(parameters) < len(lines):
            raise ValueError("a line has no parameter")
        order = meaning(self._orders, gaps["order"])
        return {"path": gaps["path"], "parameters": parameters, "space": gaps["space"], "order": order}

    def solve(self, facts: Facts) -> str:
        parameters = sorted(facts["parameters"]) if facts["order"] == "sorted" else facts["parameters"]
        pairs = [f"{key}={quote(value, safe='').replace('%20', facts['space'])}" for key, value in parameters]
        return f"{facts['path']}?{'&'.join(pairs)}"

    def forms(self, facts: Facts) -> Iterable[str]:
        for space in ("+", "%20", "_", " "):
            for order in self._orders:
                form = self.solve({**facts, "space": space, "order": order})
                yield from (form, form.replace("?", "&"), form.replace("&", "; "), form.replace("%26", "&"))
                yield (
                    form.replace("%2F", "/")
                    .replace("%23", "#")
                    .replace("%25", "%")
                    .replace("%2B", "+")
                    .replace("%3A", ":")
                )

    def check(self, facts: Facts, answer: str) -> bool:
        path, mark, query = answer.partition("?")
        if path != facts["path"] or not mark or not re.fullmatch(r"(?:\w+=(?:[\w.+-]|%[0-9A-F]{2})*&?)+", query):
            return False
        found, values = parse_qsl(query, keep_blank_values=True), "".join(value for _, value in facts["parameters"])
        other = {"+": "%20", "%20": "+"}[facts["space"]]
        if other in query or query.count(facts["space"]) != values.count(" "):
            return False
        if facts["order"] == "kept":
            return bool(found == facts["parameters"])
        return set(found) == set(facts["parameters"]) and ascending([key for key, _ in found])

    def solution(self, facts: Facts, draft: Draft) -> str:
        written = [
            f"{key}: “{value}” becomes {quote(value, safe='').replace('%20', facts['space'])}"
            for key, value in facts["parameters"]
        ]
        order = "The parameters are sorted by name." if facts["order"] == "sorted" else "The order stays."
        return "\n".join([*written, order])
