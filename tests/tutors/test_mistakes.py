"""Mistakes in a family's file, of every engine: each is told with the file, the line and what to do."""

import re
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.report.gallery import checked
from pfe.tutors.content import CONTENT
from pfe.tutors.family import content_family
from tests.each import check_each

# A shipped file of each engine, what stands there, what is written instead, and what is to be said of it; the line is
# that on which the two differ.
MISTAKES = [
    ("gsm1k_synth/shared_dinner", "engine: ", "engine: x", "unknown engine"),
    ("gsm1k_synth/shared_dinner", "check:", "chek:", "chek: unknown key; did you mean 'check'?"),
    ("gsm1k_synth/shared_dinner", "draws: |\n", "draws: |\n  n = betwen(2, 9)\n", "'betwen'; did you mean 'between'?"),
    ("gsm1k_synth/shared_dinner", "draws: |\n", "draws: |\n  n = _quotient(2, 9)\n", "unknown function '_quotient'"),
    ("gsm1k_synth/shared_dinner", "draws: |\n", "draws: |\n  n = wodr\n", "nothing in the family is called 'wodr'"),
    ("gsm1k_synth/shared_dinner", "draws: |\n", 'draws: |\n  n = pick("abc")\n', "'abc' is a text, no table"),
    ("gsm1k_synth/shared_dinner", "draws: |\n", 'draws: |\n  people(2, "nams")\n', "unknown table 'nams'"),
    ("gsm1k_synth/shared_dinner", "check: ((x", "check: ((y", "nothing in the family is called 'y'"),
    ("gsm1k_synth/shared_dinner", "check: ((x", "check: ((7 * x", "does not hold where the steps come to"),
]


@pytest.mark.parametrize(("name", "right", "wrong", "words"), MISTAKES)
def test_a_mistake_is_told_with_file_line_and_remedy(
    name: str, right: str, wrong: str, words: str, tmp_path: Path
) -> None:
    set, _, family = name.partition("/")
    source, path = (CONTENT / f"{name}.yaml").read_text(encoding="utf-8"), tmp_path / f"{family}.yaml"
    text = source.replace(right, wrong, 1)
    path.write_text(text, encoding="utf-8")
    pairs = zip(source.splitlines(), text.splitlines(), strict=False)
    line = next(number for number, (old, new) in enumerate(pairs, 1) if old != new)
    with pytest.raises(UserError) as error:
        checked(content_family(set, path), 1, 0)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert words in str(error.value)


GUIDE = """\
engine: composer
scene: |
  people(1)
  thing = pick(things)
openings:
  - to: count
    draws: n = between(4, 60)
    text: ["{name} has {n:d} of them, each a {thing}."]
    value: n
operations:
  - from: count
    to: count
    draws: k = between(2, it - 1)
    text: ["{He} gives {k:d} away."]
    steps: ["Then {name} has {= it-k}."]
    check: x + k == it
questions:
  - from: count
    text: ["How many are left?"]
steps: [1]
tables: {things: [kite, drum]}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "words"),
    [
        ('    text: ["{He} gives {k:d} away."]', "    text: []", 14, "operations.1.text: empty; write at least 1"),
        ("{k:d} away", "{m:d} away", 14, "nothing in the family is called 'm'"),
        ("it-k}", "it-kk}", 15, "nothing in the family is called 'kk'; did you mean 'k'?"),
        ("x + k == it", "x + kk == it", 16, "nothing in the family is called 'kk'; did you mean 'k'?"),
        ("x + k == it", "k == it", 16, "says nothing of `x`"),
        ("x + k == it", "x + k == it + 1", 16, "does not hold where the steps come to"),
        (
            "steps: [1]",
            "  - {from: count, draws: require(it > 900), text: [Why?]}\nsteps: [1]",
            20,
            "is in no story",
        ),
        ("  - to: count", "  - to: cuont", 6, "nothing comes `from` 'cuont'; did you mean 'count'?"),
        ("    to: count", "    too: count", 12, "unknown key; did you mean 'to'?"),
        ("questions:\n  - from: count", "questions:\n  - from: money", 18, "nothing leads `to` 'money'"),
        ("{things: [kite, drum]}", "{things: kite}", 21, "tables.things: input should be a valid list"),
        ("steps: [1]", "steps: []", 20, "steps: empty"),
        ("steps: [1]", "steps: [1", 21, "not YAML"),
        ("steps: [1]", "scene: people(1)", 20, "the key 'scene' stands twice"),
        ("pick(things)", "pick(thigs)", 4, "nothing in the family is called 'thigs'; did you mean 'things'?"),
    ],
)
def test_a_mistake_in_a_composed_family_is_told(right: str, wrong: str, line: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "guide.yaml"
    assert right in GUIDE
    path.write_text(GUIDE.replace(right, wrong, 1))
    with pytest.raises(UserError) as error:
        checked(content_family("gsm1k_synth", path), 1, 0)
    assert str(error.value).startswith(f"{path}, line {line}")
    assert words in str(error.value)


def smallest_of_each_engine() -> dict[str, Path]:
    by_engine: dict[str, Path] = {}
    for path in sorted(CONTENT.glob("*/*.yaml"), key=lambda path: path.stat().st_size):
        if found := re.search(r"^engine: (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            by_engine.setdefault(found[1], path)
    return by_engine


def test_no_key_of_any_engine_may_be_unknown_or_doubled_or_hold_nothing_or_nonsense(tmp_path: Path) -> None:
    def check(path: Path) -> None:
        source = path.read_text(encoding="utf-8")
        blocks = re.split(r"^(?=\w+:)", source, flags=re.MULTILINE)
        wrong = [source + "\nzzz: 1\n", source + "\n" + blocks[-1]]
        for number, block in enumerate(blocks):
            key = block.partition(":")[0]
            if re.fullmatch(r"\w+", key) and key != "engine":
                wrong += [
                    "".join([*blocks[:number], f"{key}: {held}\n", *blocks[number + 1 :]]) for held in ("", "[[7]]")
                ]
        for number, text in enumerate(wrong):
            written = tmp_path / path.parent.name / str(number) / path.name
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(text, encoding="utf-8")
            with pytest.raises(UserError, match=f"^{re.escape(str(written))}"):
                checked(content_family(path.parent.name, written), 1, 0)

    check_each(smallest_of_each_engine(), check)
