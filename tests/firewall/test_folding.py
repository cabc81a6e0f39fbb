"""Disguises, markup and encodings: each is undone, and a text built to be slow to undo is not."""

import base64
import html
import json
import quopri
import re
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pfe.firewall.folding import fold, fold_solution, lower_words, masked, names, squeezed

# Letters, marks and signs of every kind that folding treats, more often than chance would draw them.
TRICKY = st.text(
    st.one_of(
        st.sampled_from("aeoxJ тсеаЯґ ονταλΩ օս Ꭺꓮⲟ ﬁ²½１Ｊ𝐉 \u0301\u0308\u05b4\u3099\u0327か가\u1100\u1161שक\u0947"),
        st.sampled_from(" \u00a0\u200b\u00ad\u202e\ufe0f\n\t._-'’“—`1239ßłæıİſς"),
        st.characters(),
    )
)


@given(TRICKY)
@example("т h е y")
@example("a b  c d\n e")
@example("a\nb\nc\nd")
@example("Ꭺ\u05b4\u0301")
@example("αβγ то б abc defg")
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TRICKY)
def test_canonically_equivalent_texts_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(st.text(st.characters(max_codepoint=127, exclude_categories=["Cc"])).map(lambda text: text.replace(" ", "  ")))
def test_plain_text_without_spaced_letters_only_loses_blanks(text: str) -> None:
    words = text.split()
    if all(len(word) > 1 and word.isalnum() for word in words):
        assert fold(text) == " ".join(words)


@pytest.mark.parametrize(
    ("disguised", "seen"),
    [
        ("Ｊаnеt\u200b  o w n s  16 e\u0301ggs.", "Janet owns 16 eggs."),
        ("Ｊａｎｅｔ ｈａｓ １６", "Janet has 16"),
        ("𝐉𝖆𝓷𝕖𝚝 Ⓙⓐⓝⓔⓣ 🅹🅰🅽🅴🆃 ᴊᴀɴᴇᴛ", "Janet Janet JANET janet"),
        ("Ja\u200bn\u00ade\u2060t\ufeff h\u202ea\u202cs\ufe0f", "Janet has"),
        ("J\u0301a\u0336n\u0327e\u0308t\u20dd Jánêt", "Janet Janet"),
        ("Jа\u05b4nеt", "Janet"),
        ("\u0000Ja\x08net", "Janet"),
        ("Jаnеt һаѕ еggѕ", "Janet has eggs"),
        ("The рорсоrn and the ехсерт", "The popcorn and the except"),
        ("Τhe νаlue οf Ꭺnna օr ꓮnna", "The value of Anna or Anna"),
        ("“Janet’s” – ‘eggs’ — «all»", '"Janet\'s" - \'eggs\' - "all"'),
        ("J a n e t owns", "Janet owns"),
        ("J.a.n.e.t J_a_n_e_t J-a-n-e-t", "Janet Janet Janet"),
        ("J a n e t   h a s   e g g s", "Janet has eggs"),
        ("Janet \u00a0\u2003 has\n\n16\t eggs ", "Janet has 16 eggs"),
        ("٣ eggs, ১২ rolls", "3 eggs, 12 rolls"),
        ("1½ of 10² m, 3¾", "1 1/2 of 10^2 m, 3 3/4"),
        ("straße, Łódź, cœur, ﬁne", "strasse, Lodz, coeur, fine"),
    ],
)
def test_disguises_are_undone(disguised: str, seen: str) -> None:
    assert fold(disguised) == seen


@pytest.mark.parametrize(
    "text",
    [
        "3ggs cost 1.50 and 1 2 3 4 5 is a row",
        "Было два яблока, потом кот съел одно.",
        "Νικος εχει πεντε βολους και τους δινει στην αδελφη του",
        "α particles and β decay: Δt = 5 σ",
        "かが はば",
        "हिन्दी में सवाल",
        "The letters A, B, C and D; J. R. R. Tolkien; e.g. this",
        "I a m short",
    ],
)
def test_what_is_no_disguise_stays(text: str) -> None:
    assert fold(text) == text


PLAIN = "A beekeeper looks after 14 hives, and sells 3 jars. How many dollars does she make?"


def each(form: str) -> Callable[[str], str]:
    return lambda text: " ".join(form.format(word=word, number=i) for i, word in enumerate(text.split(), 1))


def inside(before: str, after: str) -> Callable[[str], str]:
    return lambda text: re.sub(r"(?<=\b[a-z])[a-z](?=[a-z])", lambda letter: before + letter.group() + after, text)


def between(blank: str) -> Callable[[str], str]:
    return lambda text: text.replace(" ", blank)


BLANKS = (
    *(
        "&nbsp;",
        "&#32;",
        "&amp;#x20;",
        "%20",
        "%2520",
        "%20 ",
        "\\n",
        "\\\\n",
        "\\t",
        "\\u0020",
        "\\x20",
        "\\N{SPACE}",
        "<br/>",
    ),
    *("=20", "\\quad ", "<!-- of note --> ", "\n\\n"),
)
WORDS = (
    *("<b>{word}</b>", '<span class="w">{word}</span>', "<p>{word}</p>", "&lt;i&gt;{word}&lt;/i&gt;", "[b]{word}[/b]"),
    *("&amp;lt;b&amp;gt;{word}&amp;lt;/b&amp;gt;", "[color=red]{word}[/color]", "_{word}_", "[{word}](http://a.org/b)"),
    *("\\text{{{word}}}", "{number}. {word}", "({number}) {word}", "{word}[{number}]", "{number} {word}"),
    *("Step {number}: {word}",),
)
INSIDE = (
    ("<i>", "</i>"),
    ("<!-- x -->", ""),
    ("**", "**"),
    ("*", "*"),
    ("[i]", "[/i]"),
    ("[", "](u)"),
    ("\\emph{", "}"),
)
CODES: tuple[Callable[[str], str], ...] = (
    lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    lambda text: "".join(f"%{octet:02X}" for octet in text.encode()),
    lambda text: "".join(f"={octet:02X}" for octet in text.encode()),
    lambda text: "".join(f"\\x{octet:02x}" for octet in text.encode()),
    lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    lambda text: "".join(f"\\u{{{ord(letter):x}}}" for letter in text),
    lambda text: "".join(f"\\{ord(letter):03o}" for letter in text),
    lambda text: json.dumps("".join(chr(0x1D3B9 + ord(c)) if c.islower() else c for c in text)).strip('"'),
    lambda text: quopri.encodestring(text.encode(), quotetabs=True).decode(),
    lambda text: re.sub(r"([a-z]{2})([a-z])", "\\1=\n\\2", text),
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: base64.encodebytes(text.encode()).decode(),
    lambda text: base64.urlsafe_b64encode(html.escape(f"<b>{text}</b>").encode()).decode(),
    lambda text: base64.b32encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
)


@pytest.mark.parametrize(
    "wrapped", [*map(between, BLANKS), *map(each, WORDS), *(inside(*marks) for marks in INSIDE), *CODES]
)
def test_mark_up_and_encodings_are_undone(wrapped: Callable[[str], str]) -> None:
    assert wrapped(PLAIN) != PLAIN
    assert re.findall(r"\w+", fold(wrapped(PLAIN))) == re.findall(r"\w+", PLAIN)


@pytest.mark.parametrize("first", [0, 2, 7, 13, 98, 4_995])
@pytest.mark.parametrize("form", ["{number}. {word}", "({number}) {word}", "{number} {word}", "Step {number}: {word}"])
def test_words_are_counted_from_any_number(first: int, form: str) -> None:
    words = PLAIN.split()
    counted = " ".join(form.format(number=number, word=word) for number, word in enumerate(words, first))
    assert re.findall(r"\w+", fold(counted)) == re.findall(r"\w+", PLAIN)


@pytest.mark.parametrize(
    "text",
    [
        "4*5=20 and 3*8=24, so 20+24=44 & 44-20=24", "A 20%discount, 50% off; n%20 of n%2",
        "if a < b and c > d: a[i] = b[0]", "f(1) or f(x) of 2. and 3", "def text_of_number(n): return n * k*2",
        "counterrevolutionarymovement/antidisestablishment", "It is 1. Then it is 5. Then 2 more.",
        "\\alpha and \\pi; C:\\Users", "*) a footnote", "R&D at AT&T",
    ],
)  # fmt: skip
def test_what_is_no_mark_up_stays(text: str) -> None:
    assert fold(text) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *(
            "\\",
            "\\n",
            "\\x41",
            "\\u",
            "\\text{",
            "\\frac{",
            "\\N{A",
            "_",
            "_a",
            "&",
            "&amp;",
            "<",
            "<a ",
            "<!--",
            "<<a=",
            "[",
            "[a",
        ),
        *(
            "![a](",
            "[b=",
            "%",
            "%20",
            "a%2520",
            "=",
            "=3D",
            "=\n",
            "*",
            "*a",
            "**a",
            "`",
            "1. 2. ",
            "1 2 ",
            "step ",
            "(1",
        ),
        *("QUFB", "QUFB\n", "{", "1,", "1,234", "x", "9x ", "2 x"),
    ],
)
def test_no_text_keeps_the_patterns_busy(unit: str) -> None:
    begun = time.process_time()
    fold_solution("a_ [/ % = & 2 " + (unit * 200_000)[:200_000])
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    ("printed", "same"),
    [
        ("48/2 = <<48/2=24>>24 clips", "48/2 = 24 clips"),
        ('48/2 = <gadget id="calculator">48/2</gadget><output>24</output>24 clips', "48/2 = 24 clips"),
        ("48/2 = [Calculator(48/2) → 24] 24 clips", "48/2 = 24 clips"),
        ("4 x $1,200 = 4,800", "4 * $1200 = 4800"),
        ("4x1200; 4 × 1200; $4 \\times 1200$", "4*1200; 4 * 1200; 4*1200"),
        ("Step 1: Add 2.\n**Step 2:** Halve.", "Add 2. Halve."),
        ("The answer is $\\boxed{\\frac{1}{2}}$.", "The answer is 1/2."),
        ("f(1,200) is not [2,300]", "f(1, 200) is not [2, 300]"),
    ],
)
def test_solutions_are_alike_however_they_are_printed(printed: str, same: str) -> None:
    assert re.findall(r"\w+", fold_solution(printed)) == re.findall(r"\w+", same)


def test_squeezing_leaves_letters_and_digits_only() -> None:
    assert squeezed(fold("Ｊa net's\u200b 16_eggs — “каша”")) == "janets16eggsкаша"


@given(TRICKY)
def test_blanks_and_signs_do_not_matter_to_squeezed_texts(text: str) -> None:
    letters = squeezed(fold(text))
    assert letters.isalnum() or not letters.isascii() or letters == ""
    assert squeezed(fold(f" {text}! ")) == letters


def test_known_words_are_those_written_in_lower_case() -> None:
    assert lower_words(["The ducks of Janet", "a Mark, to mark; x2"]) == {"ducks", "of", "a", "to", "mark"}


KNOWN = lower_words(["the ducks lay eggs every day how many does sell she mark a rose if"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Janet sells eggs. She meets Tom.", {"Janet", "Tom"}),
        ("The ducks lay. How many?\nEvery day", set()),
        ("Mark sells eggs.", set()),
        ("The ducks of Mark. Mark sells.", {"Mark"}),
        ("If I sell", set()),
        ("The ducks of Mrs. Rose lay", {"Mrs", "Rose"}),
        ('The "Rose" and (Mark', set()),
        ("New York and O'Brien", {"New", "York", "O'Brien"}),
    ],
)
def test_names_are_found(text: str, found: set[str]) -> None:
    assert names(text, KNOWN) == found


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("Janet's ducks lay 16 eggs.", "name's ducks lay num eggs."),
        ("The ducks of New York cost $1,200.50 or 40% of €3.", "The ducks of name cost num or num of num."),
        ("Twenty-five ducks, one hundred and six eggs", "num ducks, num eggs"),
        ("the 3rd of 1 1/2 dozen, 5kg in the 1950s at 3:30", "the num of num, num kg in the num at num"),
        ("minimum number someone often H2O", "minimum number someone often name"),
        ("How many does\nRose sell?\nThe Rose", "How many does\nname sell?\nThe name"),
        ("Ｊаnеt  sells １６", "name sells num"),
    ],
)
def test_names_and_numbers_are_masked(text: str, template: str) -> None:
    assert masked(text, KNOWN) == template


@given(st.integers(0, 10**9), st.sampled_from(["Ida", "Zoltan", "O'Neill", "Ana Maria"]))
def test_clones_of_a_template_are_masked_alike(number: int, name: str) -> None:
    text = "How many eggs does {} sell in {} days? {} sells {:,}."
    assert (
        masked(text.format(name, number, name, number), KNOWN)
        == "How many eggs does name sell in num days? name sells num."
    )
