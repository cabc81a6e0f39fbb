"""What a library did, in report.md, on the page and on the card: shares with what they are shares of."""

from collections.abc import Sequence

from pfe.report.held_out_ladder import lookups
from pfe.report.library_use import FOLLOWING, HEADS, cells
from pfe.report.validation import validation
from pfe.scores.paired import Difference
from pfe.scores.proportion import proportion
from pfe.training.figures import LibraryUse, LookUps, WholeValidation
from tests.report.tables import cells as cells_of

USE = LibraryUse(
    n=40, bare=proportion(10, 40), library=proportion(24, 40), irrelevant=None, changed=proportion(7, 10),
    lift=Difference(35.0, 40, 40, 8.0, 20.0, 50.0, 0.001), content_lift=None,
)  # fmt: skip
FOLLOWED = "70.0 [39.7, 89.2] of 10"


def row(text: str, start: str) -> Sequence[str]:
    (line,) = (line for line in cells_of(text).splitlines() if line.startswith(f"| {start} |"))
    return line.strip("| ").split(" | ")


def test_the_share_that_follows_says_of_how_many_answers_it_is() -> None:
    assert dict(zip(HEADS, cells(USE), strict=True))["follows a changed library"] == FOLLOWED
    shown = lookups({"student": LookUps(USE, {"lookup": USE}, {})}, {"student": "Ours"})
    assert row(shown, "Ours: lookup")[-1] == "40"
    assert FOLLOWED in row(shown, "Ours: lookup")
    kept_from_it = validation(WholeValidation(worlds=USE, families=None, plain=None))
    assert FOLLOWED in row(kept_from_it, "new worlds of its families")


def test_beside_the_share_stands_what_follows_without_reading() -> None:
    assert "reaches half by chance" in FOLLOWING
    assert FOLLOWING in lookups({"student": LookUps(USE, {"lookup": USE}, {})}, {"student": "Ours"})
    assert FOLLOWING in validation(WholeValidation(worlds=USE, families=None, plain=None))
    assert FOLLOWING not in validation(WholeValidation(worlds=None, families=None, plain=None))
