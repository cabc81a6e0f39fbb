import pytest

from pfe.tutors.verbs import inflected

FORMS = ("ed", "en", "ing", "es")


@pytest.mark.parametrize(
    ("phrase", "forms"),
    [
        ("take a nap", "took a nap|taken a nap|taking a nap|takes a nap"),
        ("carry on", "carried on|carried on|carrying on|carries on"),
        ("stop", "stopped|stopped|stopping|stops"),
        ("open it", "opened it|opened it|opening it|opens it"),
        ("lie down", "lay down|lain down|lying down|lies down"),
        ("agree", "agreed|agreed|agreeing|agrees"),
        ("wash", "washed|washed|washing|washes"),
        ("bake bread", "baked bread|baked bread|baking bread|bakes bread"),
        ("have a bath", "had a bath|had a bath|having a bath|has a bath"),
        ("stay", "stayed|stayed|staying|stays"),
    ],
)
def test_verbs_have_four_forms(phrase: str, forms: str) -> None:
    assert [inflected(form, phrase) for form in FORMS] == forms.split("|")
