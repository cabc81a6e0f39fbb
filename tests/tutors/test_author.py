"""Language models that write problems: by a server on loopback, a local model, and a real `transformers serve`."""

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from pfe import config
from pfe.cache import Cache
from pfe.config import AnswerKeys, Budget, Config, Tutor, record
from pfe.errors import UserError
from pfe.files import read_record
from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Done, Provenance, Request, hash_of, unseen
from pfe.models.request_format import PROBE
from pfe.problem import AnswerKey, Problem
from pfe.tutors.agreement import Agreement
from pfe.tutors.budget import Spending, most
from pfe.tutors.family import families_of
from pfe.tutors.generate import find
from pfe.tutors.server import author
from pfe.tutors.writing.author import MOST_TOKENS, PATIENCE, Author
from pfe.tutors.writing.results import Work
from pfe.tutors.writing.writers import commissioned
from stages import answer_keys, generate
from tests.conftest import ROOT
from tests.models.scripted import Body, Reply, Script, error, text_reply
from tests.real_server import Real

SET = "gsm1k_synth"


def problem_json(prompt: str, **changes: Any) -> str:
    """A problem of its own for each prompt."""
    words = [f"w{sha256(f'{prompt}{place}'.encode()).hexdigest()[:6]}" for place in range(12)]
    value = {"question": " ".join(words), "steps": ["1 + 1 = 2"], "answer": 2}
    return json.dumps(value | changes)


def prompt_of(body: Body) -> str:
    return str(body["messages"][0]["content"])


def says(text: Callable[[str], str | None]) -> Callable[[str, Body], Reply]:
    return lambda path, body: text_reply("yes" if PROBE in prompt_of(body) else text(prompt_of(body)))


@pytest.fixture
def tutor(script: Script) -> Tutor:
    return record(Tutor, kind="openai", model="m", base_url=script.url, concurrency=2)


@pytest.fixture
def write(tutor: Tutor, cache: Cache) -> Callable[..., Work]:
    def run(count: int, set: str = SET, seed: int = 0, retries: int = 0, **changes: Any) -> Work:
        return author("mine", replace(tutor, **changes), seed, cache, retries).write(set, count, seed)

    return run


def test_a_server_writes_problems_each_asked_for_once_with_the_form_as_a_schema(
    write: Callable[..., Work], script: Script
) -> None:
    script.says = says(problem_json)
    work = write(11)
    assert [problem.id for problem in work.problems] == [f"{SET}/mine/s0/{index}" for index in range(11)]
    assert {(problem.tutor, problem.family) for problem in work.problems} == {("mine", "written")}
    assert not work.refusals
    assert len(script.questions) == 11
    for body in script.questions:
        assert (body["temperature"], body["max_tokens"]) == (1.0, MOST_TOKENS)
        form = body["response_format"]["json_schema"]
        assert form["strict"] is True
        assert set(form["schema"]["required"]) == {"question", "steps", "answer"}
    assert len({body["seed"] for body in script.questions}) == 11
    assert write(11) == work
    assert len(script.questions) == 11
    assert write(11, seed=1).problems != work.problems


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Of course!\n```\n{}\n```", "{} I hope this helps."])
def test_json_in_a_fence_is_read(write: Callable[..., Work], script: Script, around: str) -> None:
    script.says = says(lambda prompt: around.replace("{}", problem_json(prompt)))
    assert len(write(3).problems) == len(script.questions) == 3


def test_a_server_without_schemas_is_asked_for_plain_json(write: Callable[..., Work], script: Script) -> None:
    def plain(path: str, body: Body) -> Reply:
        if "response_format" in body:
            return error(400, "response_format: unknown field")
        return text_reply(problem_json(prompt_of(body)))

    script.says = plain
    work = write(20)
    assert len(work.problems) == 20
    refused = sum("response_format" in body for body in script.questions)
    assert 1 <= refused <= 2  # as many as are under way at once
    assert write(20) == work
    assert len(script.questions) == 20 + refused


def test_what_is_wrong_is_sent_back_once_and_mended(write: Callable[..., Work], script: Script) -> None:
    def mends(prompt: str) -> str:
        return problem_json(prompt) if "cannot be used" in prompt else problem_json(prompt, answer="two")

    script.says = says(mends)
    assert len(write(3).problems) == 3
    first, second = script.questions[:3], script.questions[3:]
    for body in second:
        assert "answer: input should be a valid integer" in prompt_of(body)
        assert '"answer": "two"' in prompt_of(body)
        assert any(prompt_of(body).startswith(prompt_of(before)) for before in first)
    assert len(second) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (lambda prompt: "I cannot do that.", "no JSON object stands in it"),
        (lambda prompt: None, "nothing was written"),
        (lambda prompt: "", "nothing was written"),
        (lambda prompt: problem_json(prompt, answer="two"), "answer: input should be a valid integer"),
        (lambda prompt: problem_json(prompt, choices=["a", "b"]), "choices: extra inputs are not permitted"),
        (
            lambda prompt: re.findall(r"^\{.*\}$", prompt, re.MULTILINE)[0],
            "not new: 100% of its wording stands in the exam",
        ),
    ],
    ids=["words", "nothing", "empty", "wrong", "too much", "a copy"],
)
def test_what_stays_wrong_is_refused_with_the_reason_and_ends_in_time(
    write: Callable[..., Work], script: Script, text: Callable[[str], str | None], reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    script.says = says(text)
    work = write(100)
    assert not work.problems
    assert PATIENCE <= len(work.refusals) < 2 * PATIENCE
    assert len(script.questions) == 2 * len(work.refusals)
    assert all(reason in refusal.reason for refusal in work.refusals)
    assert work.refusals[0].id == f"{SET}/mine/s0/0"
    assert "and no more: " in capsys.readouterr().err


@pytest.mark.slow
def test_a_model_that_is_cut_off_is_said_to_be(write: Callable[..., Work], script: Script) -> None:
    script.says = lambda path, body: text_reply('{"question": "Ann has', finish="length")
    assert "cut off after 2,048 tokens" in write(1).refusals[0].reason


def test_a_problem_that_was_written_before_is_not_new(write: Callable[..., Work], script: Script) -> None:
    script.says = says(lambda prompt: problem_json("always the same"))
    work = write(5)
    assert [problem.id for problem in work.problems] == [f"{SET}/mine/s0/0"]
    assert "the problem written before, gsm1k_synth/mine/s0/0" in work.refusals[0].reason


@pytest.mark.slow
def test_two_right_choices_are_refused(write: Callable[..., Work], script: Script) -> None:
    choices = {"choices": ["ice", "Ice", "steam", "fog"], "answer": "ice", "explanation": "It is."}
    script.says = says(lambda prompt: json.dumps({"question": "What is frozen water?"} | choices))
    (reason,) = {refusal.reason for refusal in write(1, set="arc_synth").refusals}
    assert reason == "the choices 'ice' and 'Ice' are the same, so two would be right"


def test_a_busy_and_a_stumbling_server_are_asked_again(write: Callable[..., Work], script: Script) -> None:
    asked: list[str] = []

    def stumbles(path: str, body: Body) -> Reply:
        asked.append(prompt_of(body))
        if asked.count(asked[-1]) == 1:
            return error(429, Retry_After="0") if len(asked) % 2 else error(500)
        return text_reply(problem_json(asked[-1]))

    script.says = stumbles
    assert len(write(2, retries=3).problems) == 2


@pytest.mark.parametrize("reply", [error(500), error(401), (200, {"choices": []}, {}), (200, b"x" * (1 << 23), {})])
def test_a_server_that_fails_is_one_line_and_what_it_wrote_is_not_paid_for_twice(
    write: Callable[..., Work], script: Script, reply: Reply
) -> None:
    written: list[str] = []

    def fails_later(path: str, body: Body) -> Reply:
        if PROBE in prompt_of(body):
            return text_reply("yes")
        if len(written) == 12:
            return reply
        written.append(prompt_of(body))
        return text_reply(problem_json(prompt_of(body)))

    script.says = fails_later
    with pytest.raises(UserError, match=r"tutor\.mine: http.*answers it gave before are kept"):
        write(30)
    script.says = says(problem_json)
    script.asked.clear()
    assert len(write(30).problems) == 30
    again = [prompt_of(body) for body in script.questions]
    assert len(again) == len(set(again)) == 18
    assert not set(again) & set(written)


class Counting:
    """A model that writes problems of a number of tokens drawn by the prompt, and says how many, or nothing."""

    writes, revoked, provenance = True, (), Provenance("counting", "")

    def __init__(self, tells: bool, good: int) -> None:
        self.tells, self.good = tells, good
        self.paid: list[tuple[int, int]] = []

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        return [self.written(request) for request in requests]

    def written(self, request: Request) -> Answer:
        lot = sha256(request.prompt.encode()).digest()
        usage = len(request.prompt.encode()) - lot[0], request.max_tokens - 7 * lot[1]
        self.paid.append(usage)
        text = problem_json(request.prompt) if lot[2] % 10 < self.good else "no"
        told = usage if self.tells else (0, 0)
        return Answer(*told, "end", output=text, prompt_sha256=hash_of([request.prompt]))

    def count(self, text: str) -> int:
        return len(text)


PRICES = (2.5, 10.0)


@pytest.mark.slow
@profile(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tokens=st.none() | st.integers(1, 120_000), dollars=st.none() | st.floats(1e-4, 0.4),
    tells=st.booleans(), good=st.integers(0, 10), together=st.integers(1, 9),
)  # fmt: skip
def test_no_budget_is_ever_exceeded_and_little_of_it_is_left(
    tokens: int | None, dollars: float | None, tells: bool, good: int, together: int
) -> None:
    model = Counting(tells, good)
    spending = Spending(Budget(tokens, dollars), PRICES)
    work = Author("mine", model, together, spending).write(SET, 25, 0)
    tokens_in, tokens_out = (sum(column) for column in zip(*model.paid, strict=True)) if model.paid else (0, 0)
    cost = (tokens_in * PRICES[0] + tokens_out * PRICES[1]) / 1e6
    assert tokens is None or tokens_in + tokens_out <= tokens
    assert dollars is None or cost <= dollars
    if len(work.problems) < 25 and len(work.refusals) < PATIENCE:
        largest = Request(Problem("", "", "math", "", ""), Prefix(), "x" * 9000, max_tokens=MOST_TOKENS)
        assert not spending.allows(most(largest))
    again = Counting(tells, good)
    assert Author("mine", again, together, Spending(Budget(tokens, dollars), PRICES)).write(SET, 25, 0) == work
    assert again.paid == model.paid


def test_a_budget_that_ends_is_said_and_what_was_written_is_used(
    write: Callable[..., Work], script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = lambda path, body: text_reply(
        problem_json(prompt_of(body)), usage={"prompt_tokens": 600, "completion_tokens": 400}
    )
    work = write(50, budget=Budget(12_000, None), prices=PRICES)
    assert 4 <= len(work.problems) <= 12
    assert f"tutor.mine wrote {len(work.problems)} problems of {SET}, and no more: its budget ends after " in (
        capsys.readouterr().err
    )
    asked = len(script.questions)
    assert write(50, budget=Budget(12_000, None), prices=PRICES) == work  # the same budget ends at the same place
    assert len(script.questions) == asked
    assert not write(50, budget=Budget(None, 0.001), prices=PRICES).problems
    assert len(script.questions) == asked


def test_a_local_model_writes_nothing_of_use_and_ends(
    model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    from pfe.tutors import local  # takes seconds, as it imports torch

    tutor = record(Tutor, kind="huggingface", model=model_folder("llama"), budget={"tokens": 12_000})
    works = [local.author("small", tutor, 0).write("winogrande_synth", 3, 0) for _ in range(2)]
    assert works[0] == works[1]
    assert not works[0].problems
    assert "tutor.small wrote 0 problems of winogrande_synth" in capsys.readouterr().err


# --- in the experiment -----------------------------------------------------------------------------


@pytest.fixture
def experiment(
    tutor: Tutor, settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[Problem]]:
    """Runs the stages `generate` and `answer_keys` on a set, and gives the problems that are used."""
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    scale = replace(settings.scale, targets={SET: 20}, margin=0.5)

    def run(readers: Mapping[str, Tutor], **changes: Any) -> list[Problem]:
        writer = replace(tutor, writes={SET: 8})
        chosen = {**settings.tutor, "mine": writer, **readers}
        monkeypatch.setattr(config, "load", lambda: replace(settings, scale=scale, tutor=chosen, **changes))
        generate.main()
        Path("data/synthetic").mkdir(exist_ok=True)
        candidates = Path(f"data/candidates/{SET}.parquet")
        Problem.write(Problem.read(candidates)[:20], Path(f"data/synthetic/{SET}.parquet"))
        answer_keys.main()
        used = {key.problem_id for key in AnswerKey.read(Path(f"data/answer_keys/{SET}.parquet"))}
        return [problem for problem in Problem.read(candidates) if problem.id in used]

    return run


def writes_and_answers() -> Callable[[str, Body], Reply]:
    """Writes problems of which every fourth is refused; answers 2, but 3 to one in three as the model `other`."""
    seen: dict[str, int] = {}

    def says(path: str, body: Body) -> Reply:
        prompt = prompt_of(body)
        place = seen.setdefault(prompt.partition("\n\nTo this you replied")[0], len(seen))
        if "JSON object" in prompt:
            return text_reply(problem_json(prompt) if place % 4 else "no")
        wrong = body["model"] == "other" and place % 3 == 0
        return text_reply(f"So.\n#### {3 if wrong else 2}", model=body["model"])

    return says


def test_what_tutors_write_takes_the_place_of_what_families_make(
    experiment: Callable[..., list[Problem]], script: Script, settings: Config
) -> None:
    script.says = writes_and_answers()
    used = experiment({}, answer_keys=AnswerKeys(None, "use", 1.0))
    candidates = Problem.read(Path(f"data/candidates/{SET}.parquet"))
    assert len(candidates) == 30
    assert [problem.tutor for problem in candidates] == ["mine"] * 8 + ["procedural"] * 22
    refused = [json.loads(line) for line in Path("data/refused.jsonl").read_text().splitlines()]
    assert {(line["tutor"], line["set"], line["text"]) for line in refused} == {("mine", SET, "no")}
    assert {line["id"] for line in refused}.isdisjoint(problem.id for problem in candidates)
    assert find(candidates[0].id) == candidates[0]
    assert find(candidates[-1].id) == candidates[-1]
    with pytest.raises(UserError, match=r"'nobody' is no family of gsm1k_synth; .* holds none of this id"):
        find(f"{SET}/nobody/s0/1")
    # The families' problems are read by `mine`, which says 2 to all of them; its own it confirms.
    assert [problem.tutor for problem in used] == ["mine"] * 8
    known = read_record(Path("data/answer_keys/agreement.json"), dict[str, Agreement])[SET]
    assert (known.readers, known.read, known.used, known.written_unread) == (("mine",), 12, 8, 8)
    keys = [key for key in AnswerKey.read(Path(f"data/answer_keys/{SET}.parquet")) if key.problem_id == used[0].id]
    assert [key.text for key in keys] == ["1 + 1 = 2\n#### 2", "So.\n#### 2"]


def test_what_a_tutor_wrote_is_used_where_another_one_that_reads_it_agrees(
    experiment: Callable[..., list[Problem]], script: Script, tutor: Tutor
) -> None:
    script.says = writes_and_answers()
    used = experiment({"second": replace(tutor, model="other")}, answer_keys=AnswerKeys(None, "refuse", 1.0))
    known = read_record(Path("data/answer_keys/agreement.json"), dict[str, Agreement])[SET]
    assert known.readers == ("mine", "second")
    assert known.written_unread == 0
    assert 1 <= len(used) < 8


def test_a_tutor_may_not_bear_the_name_of_a_family(tutor: Tutor) -> None:
    family = next(iter(families_of(SET)))
    with pytest.raises(UserError, match=rf"tutor\.{family}: a family of {SET} has this name; rename"):
        commissioned({family: replace(tutor, writes={SET: 1})}, 0)
    assert not commissioned({family: tutor}, 0)


# --- killed, and a real server ---------------------------------------------------------------------

PROGRAM = """
import sys
from pathlib import Path
from pfe.cache import Cache
from pfe.config import Tutor, record
from pfe.tutors.server import author

tutor = record(Tutor, kind="openai", model="m", base_url=sys.argv[1], concurrency=2)
print(len(author("mine", tutor, 0, Cache(Path(sys.argv[2]))).write("gsm1k_synth", 30, 0).problems))
"""


@pytest.mark.slow
def test_a_run_that_is_killed_pays_for_nothing_twice(script: Script, tmp_path: Path) -> None:
    def slow(path: str, body: Body) -> Reply:
        sleep(0.05)
        return text_reply(problem_json(prompt_of(body)))

    script.says = slow
    command = [sys.executable, "-c", PROGRAM, script.url, str(tmp_path / "responses.sqlite")]
    killed = subprocess.Popen(command, cwd=ROOT)
    while len(script.questions) < 13:
        assert killed.poll() is None
        sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert again.stdout == "30\n"
    asked = Counter(prompt_of(body) for body in script.questions)
    assert len(asked) == 30
    assert sum(asked.values()) <= 30 + 2  # those under way when it was killed


@pytest.mark.slow
def test_transformers_serve_is_asked_for_json_and_what_it_wrote_outlives_it(
    real: tuple[Real, Callable[[], None]], cache: Cache
) -> None:
    served, stop = real
    tutor = record(
        Tutor, kind="openai", model=served.folder, base_url=served.url, concurrency=2, budget={"tokens": 40_000}
    )

    def work() -> Work:
        return author("small", tutor, 0, cache, retries=0, timeout=120).write("winogrande_synth", 3, 0)

    first = work()
    asked = served.asked()
    assert asked >= 2
    assert not first.problems  # its weights are random
    assert first.refusals
    stop()
    assert work() == first
    assert served.asked() == asked
