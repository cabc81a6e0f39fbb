"""Log-likelihoods against plain one-by-one computation, greedy decoding, both arms, bad models."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from pfe.config import Config
from pfe.errors import UserError
from pfe.evaluation.prompts import request_for
from pfe.evaluation.runner import examine
from pfe.models.huggingface import HuggingFace, Row, common_prefix, cut
from pfe.models.request import Request
from pfe.problem import Problem
from tests.small_models import ARCHITECTURES

Folder = Callable[[str], str]


def requests(settings: Config, arm: str, count: int = 5) -> list[Request]:
    choices = ("barometer", "a ruler", "the thermometer on the wall", "balance")
    problems = [
        Problem(f"a/{i}", "a", "science", f"Which tool measures {'air ' * i}pressure?", choices[i % 4], choices=choices)
        for i in range(count)
    ]
    return [request_for(problem, settings.benchmark["arc_easy"], arm) for problem in problems]  # type: ignore[arg-type]


def one_by_one(model: HuggingFace, context: str, continuation: str) -> float:
    """The definition: one sequence, no batch, no padding, no cache."""
    known = model.tokenizer(context)["input_ids"]
    whole = torch.tensor([model.tokenizer(context + continuation)["input_ids"]])
    with torch.no_grad():
        logits = model.model(whole).logits[0, :-1].log_softmax(-1)
    return sum(float(logits[i - 1, whole[0, i]]) for i in range(len(known), whole.shape[1]))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("arm", ["canonical", "icr"])
def test_scores_are_those_of_one_sequence_at_a_time(
    architecture: str, arm: str, model_folder: Folder, settings: Config
) -> None:
    model = HuggingFace(model_folder(architecture), batch_size=3)
    # A prefix of a few sentences: the random models have short windows.
    asked = [
        Request(r.problem, r.prefix[:200], r.prompt, r.options, r.stop, r.max_tokens) for r in requests(settings, arm)
    ]
    for request, scores in zip(asked, model.choose(asked), strict=True):
        expected = [one_by_one(model, request.prefix + o.context, o.continuation) for o in request.options]
        assert scores == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_goes_through_both_arms(architecture: str, model_folder: Folder, settings: Config) -> None:
    model = HuggingFace(model_folder(architecture), batch_size=4)
    for name in ("arc_easy", "gsm1k", "winogrande"):
        problem = Problem("p/1", name, "math", "Tom _ 2 and 3", "5", choices=("5", "6") if name != "gsm1k" else ())
        found = examine(model, "m", name, settings.benchmark[name], [problem], ("canonical", "icr"))
        assert [prediction.arm for prediction in found] == ["canonical", "icr"]
        assert found[0].prompt_sha256 != found[1].prompt_sha256


def test_the_batch_size_changes_nothing(model_folder: Folder, settings: Config) -> None:
    asked = requests(settings, "canonical")
    one, many = (HuggingFace(model_folder("llama"), batch_size=size).choose(asked) for size in (1, 16))
    for a, b in zip(one, many, strict=True):
        assert a == pytest.approx(b, abs=1e-4)


def test_greedy_decoding_is_that_of_one_prompt_at_a_time(model_folder: Folder, settings: Config) -> None:
    model = HuggingFace(model_folder("llama"), batch_size=4)
    asked = [Request(r.problem, "", r.prompt, max_tokens=6) for r in requests(settings, "canonical")]
    together = model.generate(asked)
    assert together == [model.generate([request])[0] for request in asked]


def test_a_sequence_longer_than_the_window_keeps_its_end(
    model_folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    model = HuggingFace(model_folder("llama"))
    problem = Problem("p/1", "p", "math", "?", "1")
    assert len(model.generate([Request(problem, "word " * 900, "Question: 1?\nAnswer:", max_tokens=4)])) == 1
    assert "1 of 1 sequences were longer than the model's window of 256 tokens" in capsys.readouterr().err
    assert model._row("word " * 900, " end").tokens[-1] == model._row("x", " end").tokens[-1]
    assert len(model._row("word " * 900, " end").tokens) == model.window


def test_white_space_at_the_boundary_belongs_to_the_continuation(model_folder: Folder) -> None:
    model = HuggingFace(model_folder("llama"))
    assert model._row("Answer: ", "barometer") == model._row("Answer:", " barometer")


def test_rows_share_what_they_begin_with_short_of_what_is_scored() -> None:
    rows = [Row((1, 2, 3, 4, 5), 1), Row((1, 2, 3, 9), 1)]
    assert common_prefix(rows) == (1, 2)
    assert common_prefix(rows[:1]) == ()
    assert common_prefix([Row((7, 1), 1), Row((8, 1), 1)]) == ()


def test_text_is_cut_before_the_first_stop_string() -> None:
    assert cut("18\nQuestion: next\n\n", ["\n\n", "Question:"]) == "18\n"
    assert cut("18", ["\n"]) == "18"
    assert cut("", ["\n"]) == ""


def test_weights_that_are_broken_are_told(model_folder: Folder, settings: Config) -> None:
    model = HuggingFace(model_folder("gpt2"))
    with torch.no_grad():
        for parameter in model.model.parameters():
            parameter.fill_(float("nan"))
    with pytest.raises(UserError, match="not finite"):
        model.choose(requests(settings, "canonical"))


@pytest.mark.parametrize("content", [None, "{}", "not json"])
def test_a_model_that_cannot_be_loaded_is_one_line(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(UserError, match="cannot load the model") as told:
        HuggingFace(str(tmp_path))
    assert "\n" not in str(told.value)
