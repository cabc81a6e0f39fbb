"""The ids of fixed and broken problems in the report."""

from pfe.report.named import SHOWN, named
from pfe.scores.outcomes import Outcome


def test_the_first_of_each_kind_are_named_with_how_many_more_and_the_command_for_all() -> None:
    by_id: dict[str, Outcome] = {"arc/b": "broken", "arc/k": "both"}
    by_id.update({f"arc/{place}": "fixed" for place in range(SHOWN + 3)})
    text = named(
        "student", {"arc_easy": by_id, "race": {"race/1": "neither"}}, {"arc_easy": "ARC-Easy", "race": "RACE"}
    )
    assert "| ARC-Easy" in text
    assert "RACE" not in text
    assert f"`arc/{SHOWN - 1}` and 3 more" in text
    assert "`arc/b`" in text
    assert "arc/k" not in text
    assert "`pfe show student BENCHMARK --fixed`" in text


def test_without_any_there_is_no_table() -> None:
    assert named("student", {"race": {"race/1": "both"}}, {"race": "RACE"}) == ""
