import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.firewall.language import is_english, language
from tests.conftest import ROOT
from tests.firewall.translations import MIXED, TOO_SHORT, TRANSLATIONS

ENGLISH = (
    "Nuwa and Ximena share 12 pierogi at Café Zürich. How many does Ximena eat if Nuwa eats 5?",
    "Who wrote Le Petit Prince?",
    "What is the capital of Kyrgyzstan?",
    "Which element has the symbol Au?\nGold\nSilver\nArgon\nCopper",
    "The Russian word for peace (мир) also means world. Who called his book Война и мир?",
    "def add(numbers):\n    total = 0\n    for number in numbers:\n        total += number\n    return total",
    "∫ x² dx = ? for 3 ≤ x ≤ 4, with Δx = 0.01",
    "Chidi Demir: 555 0102\nUlla Vargas: 555 0127\nWrite each number as XXX-XXXX.",
)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_with_names_terms_and_code_passes(text: str) -> None:
    assert language(text) == "en"


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in TRANSLATIONS.items() for text in texts if text not in TOO_SHORT]
)
def test_translations_are_found(code: str, text: str) -> None:
    # Without much text, some pairs cannot be told apart: Malay and Indonesian, Czech and Slovak, Wu and Mandarin.
    near = {"id": "ms", "cs": "sk", "zh": "wuu"}
    assert language(text) in (code, near.get(code))


@pytest.mark.parametrize("text", MIXED)
def test_text_half_of_which_is_foreign_is_not_english(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_an_english_sentence_does_not_hide_a_translation(code: str) -> None:
    foreign = " ".join(TRANSLATIONS[code][:2])
    assert not is_english(f"The following problem was found in an old book. {foreign}")


@pytest.mark.parametrize(
    "disguised", ["Αnn hаѕ 3 реnѕ аnd buуѕ 4 mоrе.", "A\u0301nn h\u0308as 3 pe\u0303ns and buys 4 more."]
)
def test_disguised_english_is_english(disguised: str) -> None:
    assert is_english(disguised)


@pytest.mark.parametrize("text", ["", "   ", "42", "3 + 4 = 7", "Berlin", "Café Müller", "\ud800", "x" * 100_000])
def test_what_is_too_short_to_tell_counts_as_english(text: str) -> None:
    assert is_english(text)


@settings(max_examples=200)
@given(st.text())
def test_any_text_has_a_language(text: str) -> None:
    assert language(text).isalpha()


def test_the_classifier_is_not_loaded_for_plain_english() -> None:
    code = "import sys; from pfe.firewall.language import is_english; is_english('How many of the eggs are there?')"
    found = subprocess.run([sys.executable, "-c", f"{code}; sys.exit('py3langid' in sys.modules)"], cwd=ROOT)
    assert found.returncode == 0
