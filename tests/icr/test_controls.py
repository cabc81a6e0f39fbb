"""The laws of the control arms, on every shipped library and on made ones."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import factorial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pfe.config import Config
from pfe.errors import UserError
from pfe.icr.contexts import library, sections
from pfe.icr.controls import (
    DONORS,
    PLACEBOS,
    donors,
    form,
    methods_words,
    permutation,
    placebo,
    placebo_words,
    reordered,
    shuffled,
)
from pfe.icr.prefix import Prefix
from pfe.training.student import new_tokenizer
from tests.icr.test_contexts import SHIPPED, TEXTS, any_library
from tests.small_models import TEXT

EXAMPLE_LABELS = ("Example:", "Template:", "Solution:", "A:")
WORDS = ("ax", "bee", "cod", "dew", "elk", "fir", "gnu")
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@st.composite
def libraries(draw: st.DrawFn) -> Prefix:
    """A library whose methods have examples, all different, of one line or two."""
    examples = draw(st.lists(words, min_size=2, max_size=6, unique=True))
    methods = []
    for number, example in enumerate(examples, 1):
        answer = f"\n→ {draw(words)}" if draw(st.booleans()) else ""
        methods.append(f"METHOD {number}: {draw(words)}\nWhen: {draw(words)}\nExample: {example}{answer}\n\n")
    closing = draw(st.sampled_from([(), ("BEFORE ANSWERING\n- Be brief.\n\n",)]))
    return Prefix("[METHOD LIBRARY]\n\n", (*methods, *closing), "[PROBLEM]\n")


any_seed = pytest.mark.parametrize("seed", ["0:arc_easy:", "1:race:"])


@pytest.fixture(scope="module", params=[300, 1500])
def count(request: pytest.FixtureRequest) -> Callable[[str], int]:
    """The token counts of a byte-level BPE tokenizer, small or middling."""
    tokenizer = new_tokenizer([*TEXT, *(own.text for own in SHIPPED.values())], request.param, context=256)
    return lambda text: len(tokenizer(text)["input_ids"])


def others_than(own: Prefix) -> list[Prefix]:
    """Those of other domains: a domain's library, and SPEC's, have one head."""
    return [library(name) for name in TEXTS if library(name).head != own.head]


@any_library
def test_a_placebo_has_the_library_s_token_count_and_none_of_its_methods(
    own: Prefix, count: Callable[[str], int]
) -> None:
    calls: list[str] = []
    words = placebo_words(own, others_than(own), lambda text: calls.append(text) or count(text))  # type: ignore[func-returns-value]
    made = placebo(own, others_than(own), words)
    assert methods_words(made) == words
    sought = count(own.text)
    assert abs(count(made.text) - sought) <= max(0.01 * sought, 3)  # half a word, at its end
    assert len(calls) < 20
    assert (made.head, made.tail) == (own.head, own.tail)
    assert not set("".join(made.methods).split("\n")) & set("".join(own.methods).split("\n")) - {""}
    assert not re.search("BEFORE ANSWERING|WORKED EXAMPLE", made.text)
    assert "\n\n\n" not in made.text


@settings(max_examples=40)
@given(own=libraries(), others=st.lists(libraries(), min_size=1, max_size=3))
def test_a_placebo_is_the_others_methods_in_their_order_cut_at_a_word(own: Prefix, others: list[Prefix]) -> None:
    pool = "".join(method for other in others for method in sections(other).methods)
    assume(len(pool.split()) >= len("".join(own.methods).split()))
    made = placebo(own, others, placebo_words(own, others, lambda text: len(text.split())))
    assert len(made.text.split()) == len(own.text.split())
    assert made.text.split()[len(own.head.split()) : -1] == pool.split()[: len("".join(own.methods).split())]


@pytest.mark.parametrize("others", [[], ["gsm1k.txt"]], ids=["none", "too short"])
def test_a_placebo_that_nothing_is_long_enough_for_is_refused(others: list[str]) -> None:
    with pytest.raises(UserError, match=r"\[SCIENCE FACT LIBRARY\] has [\d,]+; shorten it"):
        placebo_words(library("arc.txt"), [library(name) for name in others], lambda text: len(text.split()))


def frame(own: Prefix) -> set[str]:
    """Everything a form may say, read plainly: titles, headings of closing sections, labels and their numbers."""
    allowed: set[str] = set()
    for line in own.text.split("\n"):
        label, colon, _ = line.strip().lstrip("-→•* ").partition(":")
        if line.startswith("[") or line.replace(" ", "").isupper():
            allowed |= set(re.findall(r"\w+", line))
        elif colon and re.fullmatch("[A-Z][A-Za-z]*( [0-9]+)?", label):
            allowed |= set(label.split())
    return allowed


@any_library
def test_of_a_form_only_headings_labels_and_lines_are_left(own: Prefix) -> None:
    made = form(own)
    assert set(re.findall(r"\w+", made.text)) <= frame(own)
    before, after = own.text.split("\n"), made.text.split("\n")
    assert [re.match(r" *", line)[0] for line in after] == [re.match(r" *", line)[0] for line in before]  # type: ignore[index]
    assert [bool(line) for line in after] == [bool(line) for line in before]
    assert form(made) == made


def test_donors_are_the_shipped_libraries_and_serve_the_domains_of_their_benchmarks(settings: Config) -> None:
    named = {one.library: one.domain for one in settings.benchmark.values() if one.library}
    served = {name: domain for name, domain in named.items() if name.endswith(".txt")}
    assert DONORS.items() <= served.items()
    for name, domain in DONORS.items():
        assert set(donors(name, domain, 0, "0")) == DONORS.keys() - {name}
    assert "gsm1k.txt" not in donors("mine.txt", "math", 0, "0")


@any_seed
def test_donors_are_dealt_so_that_the_placebos_share_libraries_only_where_they_need_more(seed: str) -> None:
    of_text = [donors("mine.txt", "format", text, seed) for text in range(PLACEBOS)]
    assert all(sorted(names) == sorted(DONORS) for names in of_text)
    first = [name for names in of_text for name in names[: len(DONORS) // PLACEBOS]]
    assert len(set(first)) == len(first)
    assert of_text != [donors("mine.txt", "format", text, f"{seed}!") for text in range(PLACEBOS)]


def test_the_form_of_methods_facts_code_and_documentation() -> None:
    assert form(library("gsm1k.txt")).methods[3] == "METHOD 4: …\nWhen: …\nPattern: …\nExample: …\n→ …\n\n"
    assert form(library("arc.txt")).methods[0] == "CATEGORY: …\n- …\n- …\n- …\n- …\n- …\n\n"
    assert form(library("arc.txt")).methods[-4] == "[WORKED EXAMPLES]\nQ: …\nA: …\n\n"
    assert form(library("mbpp.txt")).methods[8] == (
        "PATTERN 8: …\nWhen: …\nTemplate:\n    …\n        …\n            …\n        …\n\n"
    )
    assert form(library("race.txt")).methods[-1] == "BEFORE ANSWERING\n- …\n- …\n- …\n\n"
    made = form(Prefix(methods=("METHOD 1: Add\nhint: y\n- Sum: x\n→ Sum: 3\n  Two words: z\n\n",)))
    assert made.methods == ("METHOD 1: …\n…\n- …\n→ …\n  …\n\n",)
    assert form(library("fncall.yaml", ["get_stock_price"])).methods == ("…\n    …\n    …\n    …\n    Example: …\n\n",)


def example_of(method: str) -> list[str]:
    """A method's example, read plainly: its lines from a label on, or else its bullets, if it is no closing section."""
    lines = method.strip().split("\n")
    labelled = [i for i, line in enumerate(lines) if line.lstrip().startswith(EXAMPLE_LABELS)]
    bullets = [line for line in lines if line.startswith("- ") and lines[0] != "BEFORE ANSWERING"]
    return lines[labelled[0] :] if labelled else bullets


@any_library
def test_shuffled_no_method_keeps_its_example_and_no_line_is_lost(own: Prefix) -> None:
    made = shuffled(own)
    assert Counter(made.text.split("\n")) == Counter(own.text.split("\n"))
    examples = [example_of(method) for method in own.methods]
    assert sum(map(bool, examples)) >= min(5, len(sections(own).methods))
    for before, after, example in zip(own.methods, made.methods, examples, strict=True):
        if example:
            rest = before.strip().removesuffix("\n".join(example))
            assert after.startswith(rest)
            assert example_of(after) != example
            assert example_of(after) in examples
        else:
            assert after == before


@given(libraries())
def test_shuffled_examples_go_to_the_next_method(own: Prefix) -> None:
    before, after = sections(own), sections(shuffled(own))
    examples = [method.split("Example: ")[1] for method in before.methods]
    assert [method.split("Example: ")[1] for method in after.methods] == examples[-1:] + examples[:-1]
    assert [m.split("Example: ")[0] for m in after.methods] == [m.split("Example: ")[0] for m in before.methods]
    assert after.closing == before.closing


def test_answers_go_to_other_questions_and_facts_to_other_categories() -> None:
    made = shuffled(library("arc.txt")).methods
    assert made[1].startswith("CATEGORY: Compounds and Mixtures\n- Particles are packed tightly in solids")
    assert "Ants vanish" in made[-3]
    assert "Water vapor from breath" in made[-3]


@any_library
def test_reordered_is_a_permutation_of_the_methods_between_notes_and_closing(own: Prefix) -> None:
    written = sections(own)
    orders = [sections(reordered(own, 7, order)) for order in range(4)]
    assert orders[0] == written
    assert len({found.methods for found in orders}) == min(4, factorial(len(written.methods)))
    for order, found in enumerate(orders):
        assert (found.notes, found.closing) == (written.notes, written.closing)
        assert sorted(found.methods) == sorted(written.methods)
        assert reordered(own, 7, order).text == reordered(own, 7, order).text
    if len(written.methods) > 5:
        assert reordered(own, 8, 1) != reordered(own, 7, 1)


@given(size=st.integers(0, 4), seed=st.integers(0, 1000))
def test_no_order_comes_twice_before_all_have_come(size: int, seed: int) -> None:
    every = list(permutations(range(size)))
    drawn = [permutation(size, seed, order) for order in range(len(every))]
    assert drawn[0] == tuple(range(size))
    assert sorted(drawn) == every
    assert permutation(size, seed, len(every)) == drawn[0]
