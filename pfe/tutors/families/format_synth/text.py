"""Format tasks about the characters of a line: identifiers in a code style, title case, padding.

Example: "Write these phrases in snake_case. Give one name a line.\\n\\nLoad current profile\\nSend weekly report" gives
"load_current_profile\\nsend_weekly_report".
"""

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import ClassVar

from pfe.tutors.families.format_synth.base import Instruction, Phrases, listed, meaning, weave
from pfe.tutors.families.format_synth.words import ADJECTIVES, GOODS, NOUNS, plural, words
from pfe.tutors.family import Draft, Facts

VERBS = words("""
add apply archive book build cancel check clear close compare copy count create delete download edit export fetch filter
find format hide import list load lock log merge move open parse pause plan post print queue read refresh remove rename
reset restore save scan schedule search select send show sort split start stop store sync track update upload verify
""")
QUALITIES = words("""
active archived average broken cached current daily default deleted due expired final first free full hidden imported
internal invalid last local locked main missing monthly new next old open paid pending personal previous primary public
recent remote saved shared signed temporary total unread unused upcoming urgent valid weekly
""")
OBJECTS = words("""
account address backup balance basket booking budget button calendar catalog channel comment contact contract course
coupon customer device discount document draft event export field file folder form gallery group guest image invoice
item label language layout license link list logo map member menu message meter module note notice offer order page
parcel password payment photo player playlist policy post price printer product profile project quota rating receipt
record refund region report request result review role room route rule sample schedule score sensor session setting
shelf shipment stock student supplier survey table tag task team template theme ticket timer token tour user version
video voucher wallet
""")


class CodeNames(Instruction):
    """A conversion of phrases to identifiers in a naming convention.

    Facts: `phrases`, tuples of lower-case words; `style`, a key of `_styles`; `layout`, a key of `_layouts`.
    """

    name = "code_names"
    asks: ClassVar = weave(
        (
            "Turn each of these phrases into a name in {style}.",
            "Write these phrases in {style}.",
            "These labels will be names in a program that uses {style}. Convert them.",
        ),
        ("Keep their order. {layout}", "{layout}"),
    )
    _styles: ClassVar[Phrases] = {
        "load_user_file": ("snake_case", "snake case (lower case, joined by underscores)"),
        "load-user-file": ("kebab-case", "kebab case (lower case, joined by hyphens)"),
        "loadUserFile": ("camelCase", "camel case (the first word small, each later one capitalised, nothing between)"),
        "LoadUserFile": ("PascalCase", "Pascal case (every word capitalised, nothing between them)"),
        "LOAD_USER_FILE": ("SCREAMING_SNAKE_CASE", "upper snake case (capitals, joined by underscores)"),
        "load.user.file": ("dot.case", "dot case (lower case, joined by full stops)"),
        "Load-User-File": ("Train-Case", "train case (every word capitalised, joined by hyphens)"),
    }
    _layouts: ClassVar[Phrases] = {
        "\n": ("Give one name a line.", "Put each name on a line of its own."),
        ", ": ("Give them on one line, with a comma and a space in between.",),
        ";": ("Give them on one line, separated by semicolons without spaces.",),
    }

    def facts(self, rng: Random) -> Facts:
        phrases = []
        for verb in rng.sample(VERBS, rng.randint(3, 5)):
            middle = rng.sample(QUALITIES, rng.choice((1, 1, 2)))
            phrases.append((verb, *middle, rng.choice(OBJECTS)))
        return {"phrases": phrases, "style": rng.choice(list(self._styles)), "layout": rng.choice(list(self._layouts))}

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {
            "style": rng.choice(self._styles[facts["style"]]),
            "layout": rng.choice(self._layouts[facts["layout"]]),
        }

    def data(self, facts: Facts, rng: Random) -> list[str]:
        case = rng.choice((str.capitalize, str.lower, str.title))
        return [case(" ".join(phrase)) for phrase in facts["phrases"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        phrases = [tuple(line.lower().split(" ")) for line in lines]
        return {
            "phrases": phrases,
            "style": meaning(self._styles, gaps["style"]),
            "layout": meaning(self._layouts, gaps["layout"]),
        }

    def solve(self, facts: Facts) -> str:
        return facts["layout"].join(_named(phrase, facts["style"]) for phrase in facts["phrases"])  # type: ignore[no-any-return]

    def forms(self, facts: Facts) -> Iterable[str]:
        for layout in self._layouts:
            for style in (*self._styles, "load user file", "loaduserfile"):
                yield layout.join(_named(phrase, style) for phrase in facts["phrases"])

    def check(self, facts: Facts, answer: str) -> bool:
        names = answer.split(facts["layout"])
        first, later, *_ = _parts(facts["style"], facts["style"])
        return len(names) == len(facts["phrases"]) and all(
            tuple(map(str.lower, parts)) == phrase
            and _case(parts[0]) == _case(first)
            and {_case(part) for part in parts[1:]} == {_case(later)}
            for name, phrase in zip(names, facts["phrases"], strict=True)
            for parts in [_parts(name, facts["style"])]
        )

    def solution(self, facts: Facts, draft: Draft) -> str:
        return "\n".join(
            f"“{draft.as_written(' '.join(phrase))}” becomes {_named(phrase, facts['style'])}"
            for phrase in facts["phrases"]
        )


def _case(word: str) -> str:
    return "lower" if word.islower() else "capital" if word.istitle() else "upper" if word.isupper() else "mixed"


def _joint(style: str) -> str:
    return next((sign for sign in "_-. " if sign in style), "")


def _parts(name: str, style: str) -> list[str]:
    """Split a name into its words, at the separator of the style or at its capitals."""
    joint = _joint(style)
    return name.split(joint) if joint else re.findall(r"^[a-z]+|[A-Z][a-z]*|[^A-Za-z]+", name)


def _named(phrase: Iterable[str], style: str) -> str:
    """Write a phrase like `style`, an example such as `load-user-file`: in its case, with its separator."""
    change = {"lower": str.lower, "capital": str.capitalize, "upper": str.upper}
    first, *later = _parts(style, style)
    cases = [_case(first), _case(later[0]) if later else _case(first)]
    return _joint(style).join(change[cases[place > 0]](word) for place, word in enumerate(phrase))


class TitleCase(Instruction):
    """A conversion of titles to title case by a rule that the instruction states.

    Facts: `titles`, tuples of lower-case words; `small`, the words that stay in lower case; `ends`, the positions
    where even these are capitalised: "first" word or "both" ends.
    """

    name = "title_case"
    asks: ClassVar = weave(
        (
            "Write these titles in title case, one a line.",
            "Bring these titles into title case and give each its own line.",
            "Our catalogue wants these titles in title case, one to a line.",
        ),
        (
            "Capitalise the first letter of every word except {small}, which stay small. {ends}",
            "Every word starts with a capital; only {small} are written small. {ends}",
        ),
        ("All other letters are small.", "Leave no capitals anywhere else."),
    )
    _ends: ClassVar[Phrases] = {
        "first": ("The first word gets a capital in any case.", "A title always begins with a capital."),
        "both": (
            "The first and the last word get a capital in any case.",
            "Whatever they are, the first and the last word begin with a capital.",
        ),
    }
    _shapes = (
        "the {a} {n} and the {m}",
        "in the light of the {a} {n}",
        "letters from the {a} {n}",
        "what the {n} was waiting for",
        "the {a} {n} they talked about",
        "of {ns} and {ms}",
        "the {n} by the {m}",
        "with the {a} {n} to the {m}",
        "once upon the {a} {n}",
        "nobody to share the {n} with",
        "from {n} to {m}",
        "the {n} in the {a} {m}",
        "for the {n} and for the {m}",
        "all the {a} {ns} we passed by",
        "the {a} {n} you came from",
    )
    _small = ("and", "by", "for", "from", "in", "of", "the", "to", "with", "about")

    def facts(self, rng: Random) -> Facts:
        found = []
        for shape in rng.sample(self._shapes, rng.randint(2, 4)):
            n, m = rng.sample(NOUNS, 2)
            gaps = {"a": rng.choice(ADJECTIVES), "n": n, "m": m, "ns": plural(n), "ms": plural(m)}
            found.append(tuple(shape.format(**gaps).split()))
        small = [word for word in self._small if rng.random() < 0.6] or ["the"]
        rng.shuffle(small)
        return {
            "titles": found,
            "small": small if len(small) > 1 else [*small, "an"],
            "ends": rng.choice(list(self._ends)),
        }

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        return {
            "small": listed([f"“{word}”" for word in facts["small"]]),
            "ends": rng.choice(self._ends[facts["ends"]]),
        }

    def data(self, facts: Facts, rng: Random) -> list[str]:
        change = rng.choice((str.lower, str.upper, str.title, str.capitalize))
        return [change(" ".join(title)) for title in facts["titles"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        small = re.findall(r"“(\w+)”", gaps["small"])
        found = [tuple(line.lower().split(" ")) for line in lines]
        return {"titles": found, "small": small, "ends": meaning(self._ends, gaps["ends"])}

    def solve(self, facts: Facts) -> str:
        return "\n".join(self._title(title, facts["small"], facts["ends"]) for title in facts["titles"])

    def _title(self, title: tuple[str, ...], small: Iterable[str], ends: str) -> str:
        places = {"first": (0,), "both": (0, len(title) - 1), "none": ()}[ends]
        return " ".join(
            word if word in small and place not in places else word.capitalize() for place, word in enumerate(title)
        )

    def forms(self, facts: Facts) -> Iterable[str]:
        for ends in ("first", "both", "none"):
            for small in (facts["small"], (), self._small, facts["small"][1:]):
                for joint in ("\n", "; "):
                    yield joint.join(self._title(title, small, ends) for title in facts["titles"])
        yield "\n".join(" ".join(title).upper() for title in facts["titles"])

    def check(self, facts: Facts, answer: str) -> bool:
        lines = [line.split(" ") for line in answer.split("\n")]
        if [tuple(map(str.lower, line)) for line in lines] != facts["titles"]:
            return False
        free = slice(1, -1) if facts["ends"] == "both" else slice(1, None)
        inner = [word for line in lines for word in line[free]]
        outer = [word for line in lines for word in (line[0], *line[1:][free.stop or len(line) :])]
        return all(word.istitle() for word in outer) and all(
            word.islower() == (word.lower() in facts["small"]) and word[1:] == word[1:].lower() for word in inner
        )

    def solution(self, facts: Facts, draft: Draft) -> str:
        steps = []
        for title in facts["titles"]:
            kept = [word for word in self._title(title, facts["small"], facts["ends"]).split() if word.islower()]
            steps.append(f"Small in “{draft.as_written(' '.join(title))}”: {listed(kept) if kept else 'no word'}.")
        return "\n".join(steps)


class PaddedLines(Instruction):
    """Names and prices in columns of fixed width, padded with visible characters.

    Facts: `items`, pairs of name and price; `width` and `fill`, the column width and padding character of the names;
    `size` and `lead`, those of the prices.
    """

    name = "padded_lines"
    asks: ClassVar = weave(
        (
            "Print these as lines of fixed width.",
            "These go to an old receipt printer, which needs lines of fixed width.",
            "Make a price list with columns of fixed width.",
        ),
        (
            "Pad each name on the right with {fill} to {width:d} characters; the price follows at once, padded on the "
            "left with {lead} to {size:d} characters.",
            "The name comes first, filled up on the right with {fill} to a width of {width:d} characters, then the "
            "price, filled up on the left with {lead} to a width of {size:d} characters.",
        ),
        ("Keep the order.", "Do not change their order."),
    )
    _fills: ClassVar[Phrases] = {
        ".": ("full stops", "dots"),
        "_": ("underscores",),
        "-": ("hyphens",),
        "*": ("asterisks",),
        "=": ("equals signs",),
        "0": ("zeros",),
    }

    def facts(self, rng: Random) -> Facts:
        names = rng.sample(GOODS, rng.randint(3, 5))
        items = [(name, f"{rng.randint(1, rng.choice((9, 89)))}.{rng.randrange(100):02}") for name in names]
        return {
            "items": items,
            "width": max(map(len, names)) + rng.randint(2, 7),
            "fill": rng.choice("._-*="),
            "size": max(len(price) for _, price in items) + rng.randint(1, 4),
            "lead": rng.choice("._-*=0"),
        }

    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        signs = {key: rng.choice(self._fills[facts[key]]) for key in ("fill", "lead")}
        return {**signs, "width": facts["width"], "size": facts["size"]}

    def data(self, facts: Facts, rng: Random) -> list[str]:
        shape = rng.choice(("{}: {}", "{} at {}", "{} for {}", "{}, {}"))
        return [shape.format(name, price) for name, price in facts["items"]]

    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        found = [re.fullmatch(r"([a-z ]+?)(?:: | at | for |, )(\d+\.\d\d)", line) for line in lines]
        items = [(match[1], match[2]) for match in found if match]
        if len(items) < len(lines):
            raise ValueError("a line has no name and price")
        signs = {key: meaning(self._fills, gaps[key]) for key in ("fill", "lead")}
        return {"items": items, **signs, "width": int(gaps["width"]), "size": int(gaps["size"])}

    def solve(self, facts: Facts) -> str:
        return "\n".join(
            name.ljust(facts["width"], facts["fill"]) + price.rjust(facts["size"], facts["lead"])
            for name, price in facts["items"]
        )

    def forms(self, facts: Facts) -> Iterable[str]:
        for fill in (facts["fill"], facts["lead"], " "):
            for lead in (facts["lead"], facts["fill"], " "):
                for width in range(facts["width"] - 1, facts["width"] + 2):
                    for size in range(facts["size"] - 1, facts["size"] + 2):
                        yield self.solve({**facts, "fill": fill, "lead": lead, "width": width, "size": size})

    def check(self, facts: Facts, answer: str) -> bool:
        lines, width = answer.split("\n"), facts["width"]
        return {len(line) for line in lines} == {width + facts["size"]} and facts["items"] == [
            (line[:width].rstrip(facts["fill"]), line[width:].lstrip(facts["lead"])) for line in lines
        ]

    def solution(self, facts: Facts, draft: Draft) -> str:
        return "\n".join(
            f"“{name}” has {len(name)} characters, so {facts['width'] - len(name)} signs follow; "
            f"“{price}” has {len(price)}, so {facts['size'] - len(price)} go before it."
            for name, price in facts["items"]
        )
