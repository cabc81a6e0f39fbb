"""Benchmarks answered in a way that turned out wrong later are asked again."""

from dataclasses import replace

from pfe.evaluation.runner import with_reruns
from pfe.models.chance import Chance
from pfe.problem import Prediction
from tests.scores.made import predictions


class Doubtful(Chance):
    """Packs, until the third benchmark shows that it should not; then computes whole, and errs there on the fifth."""

    def __init__(self) -> None:
        super().__init__(seed=0)
        self.asked: list[str] = []
        self.revoked: tuple[str, ...] = ()

    def predictions_of(self, name: str) -> list[Prediction]:
        self.asked.append(name)
        if name == "c" and "packed" not in self.revoked:
            self.revoked = ("packed",)
        if name == "e" and "even choose" not in self.revoked:
            self.revoked = (*self.revoked, "even choose")
        way = next(way for way in ("packed", "even choose", "alone") if way not in self.revoked)
        return [replace(row, way="" if name == "d" else way) for row in predictions({"icr": [True]}, benchmark=name)]


def test_what_was_answered_in_a_wrong_way_is_asked_again_and_nothing_else() -> None:
    model = Doubtful()
    last = {name: rows[0].way for name, rows in with_reruns(["a", "b", "c", "d", "e"], model, model.predictions_of)}
    assert model.asked == ["a", "b", "c", "d", "e", "a", "b", "c"]
    assert last == {"a": "alone", "b": "alone", "c": "alone", "d": "", "e": "alone"}
