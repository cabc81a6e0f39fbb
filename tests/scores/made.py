"""ScoredPredictions made by the tests: marks in, rows out."""

from collections.abc import Mapping, Sequence

from pfe.problem import ScoredPrediction


def predictions(
    arms: Mapping[str, Sequence[bool]], cluster_size: int = 1, order: int = 0, benchmark: str = "arc_easy"
) -> list[ScoredPrediction]:
    """One row an arm and problem, four choices each; `cluster_size` neighbours are one cluster."""
    return [
        ScoredPrediction(
            problem_id=f"{benchmark}/{place}",
            benchmark=benchmark,
            model="student",
            arm=arm,
            order=order,
            output="",
            extracted="barometer",
            correct=right,
            group=f"passage {place // cluster_size}",
            tokens_in=10,
            tokens_out=2,
            stop="choice",
            scores=(-1.0, -2.0, -3.0, -4.0),
            choices=4,
        )
        for arm, marks in arms.items()
        for place, right in enumerate(marks)
    ]


def two_arms(kept: int = 0, fixed: int = 0, broken: int = 0, wrong: int = 0) -> dict[str, list[bool]]:
    """Marks with this table of canonical and ICR."""
    canonical = [True] * kept + [False] * fixed + [True] * broken + [False] * wrong
    icr = [True] * kept + [True] * fixed + [False] * broken + [False] * wrong
    return {"canonical": canonical, "icr": icr}
