"""Agreement among tutors; a tutor behind a real server on loopback; a local model as a tutor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe import config
from pfe.cache import Cache
from pfe.config import AnswerKeys, Budget, Config, Tutor, record
from pfe.errors import UserError
from pfe.files import read_record
from pfe.models.request import Done, unseen
from pfe.problem import AnswerKey, Problem
from pfe.tutors.agreement import Agreement
from pfe.tutors.family import remake
from pfe.tutors.generate import candidates
from pfe.tutors.keys import KeyedProblem, Role, Vote, agreement, answerer, answerers, keyed_problems
from pfe.tutors.prompt import tutor_prompt
from pfe.tutors.server import server
from stages import answer_keys
from tests.models.scripted import Reply, Script, chat, error, text_reply


@dataclass(frozen=True)
class Says:
    """A tutor that always says the same."""

    name: str
    text: str | None
    kind: Role = "reader"

    def role(self, problem: Problem) -> Role:
        return self.kind

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        return [None if self.text is None else AnswerKey(p.id, self.name, self.text, self.text) for p in problems]


ALL, ONE, READ = AnswerKeys(None, "use", 1.0), AnswerKeys(1, "use", 1.0), AnswerKeys(None, "refuse", 1.0)


def test_the_five_default_routes_are_one_tutor_and_no_agreement(settings: Config) -> None:
    tutors = {name: answerer(name, tutor) for name, tutor in settings.tutor.items()}
    assert len(tutors) == 5
    results = keyed_problems(list(candidates("winogrande_synth", 5, seed=0, library_bound=0.4)), tutors)
    for result in results:
        assert result.is_confirmed
        assert result.is_used(settings.answer_keys)
        assert not result.is_read
        assert not result.is_used(READ)
        assert [key.tutor for key in result.keys] == list(tutors)
    known = agreement(results, list(tutors), settings.answer_keys)
    assert (known.read, known.agreement, known.readers) == (0, None, ())
    assert known.words == "checked by construction, 100.0 % of 5"


def test_the_first_route_checks_every_problem_and_the_others_the_same_share(settings: Config) -> None:
    rules = replace(settings.answer_keys, checked=0.3)
    tutors = answerers(settings.tutor, rules)
    results = keyed_problems(list(candidates("winogrande_synth", 100, seed=0, library_bound=0.4)), tutors)
    first = next(iter(tutors))
    assert {tuple(vote.tutor for vote in result.votes) for result in results} == {(first,), (*tutors,)}
    assert all(result.is_used(rules) for result in results)
    assert 15 < sum(len(result.votes) > 1 for result in results) < 45


def test_a_table_that_says_whales_are_fish_passes_every_check_and_no_reader(settings: Config, tools: Problem) -> None:
    """The five routes share the family's facts; who reads the text does not."""
    checks = {name: Says(name, "a barometer", "check") for name in ("derive", "verify", "replay", "read", "eliminate")}
    (alone,) = keyed_problems([tools], checks)
    (read,) = keyed_problems([tools], {**checks, "gpt4o": Says("gpt4o", "a ruler")})
    assert alone.is_used(ALL)
    assert not read.is_used(ALL)
    assert agreement([read], ["gpt4o"], ALL).words == "gpt4o agrees on 0.0 % of 1"


@pytest.fixture
def tools() -> Problem:
    """A problem with two choices, of which "a barometer" is right."""
    return replace(remake("arc_synth/measuring_tool/s0/0"), choices=("a barometer", "a ruler"), answer="a barometer")


@pytest.mark.parametrize("odd", [Says("b", "a ruler"), Says("b", None)])
def test_one_dissent_or_silence_is_no_agreement_of_all_and_one_of_a_consensus_of_one(tools: Problem, odd: Says) -> None:
    (result,) = keyed_problems([tools], {"a": Says("a", "a barometer"), "b": odd})
    assert not result.is_used(ALL)
    assert result.is_used(ONE)
    assert [key.tutor for key in result.keys] == ["a"]


@given(checks=st.lists(st.booleans(), max_size=5), readings=st.lists(st.booleans(), max_size=5), data=st.data())
def test_the_law_of_consensus(checks: list[bool], readings: list[bool], data: st.DataObject) -> None:
    """Every check holds, and of the readers as many agree as are to; where nobody reads, `unread` decides."""
    consensus = data.draw(st.none() | st.integers(1, 5))
    unread: Literal["use", "refuse"] = "use" if data.draw(st.booleans()) else "refuse"
    problem = remake("arc_synth/measuring_tool/s0/0")
    votes = tuple(Vote("c", "check", None, right) for right in checks)
    votes += tuple(Vote("r", "reader", None, right) for right in readings)
    result = KeyedProblem(problem, votes)
    enough = sum(readings) >= (len(readings) if consensus is None else consensus) if readings else unread == "use"
    assert result.is_used(AnswerKeys(consensus, unread, 1.0)) == (bool(votes) and all(checks) and enough)


def test_agreement_is_told_per_set_and_tutor(tools: Problem) -> None:
    (both,) = keyed_problems([tools], {"a": Says("a", "a barometer"), "b": Says("b", "A  Barometer")})
    (one,) = keyed_problems([tools], {"a": Says("a", "a barometer"), "b": Says("b", "a ruler")})
    known = agreement([both, one], ["a", "b"], ALL)
    assert known == Agreement(2, 1, 100.0, 2, 50.0, 0, 0, ("a", "b"), {"a": 100.0, "b": 50.0})
    assert known.words == "a, b agree on 50.0 % of 2"
    assert agreement([], ["a"], ALL).words == "–"


def test_what_only_its_writer_knows_is_said(tools: Problem) -> None:
    written = replace(tools, tutor="gpt4o", family="written")
    (result,) = keyed_problems([written], {"gpt4o": Says("gpt4o", "a barometer", "check")})
    assert agreement([result], ["gpt4o"], ALL).words == "1 known to their writer alone"
    assert not result.is_used(READ)


@pytest.fixture
def tutor(script: Script, monkeypatch: pytest.MonkeyPatch) -> Tutor:
    monkeypatch.setenv("PFE_TEST_KEY", "sk-secret-of-a-tutor")
    return record(Tutor, kind="openai", model="m", base_url=script.url, key_variable="PFE_TEST_KEY")


def test_a_server_s_answer_is_asked_for_once_and_kept(
    tutor: Tutor, script: Script, cache: Cache, arc_problem: Problem
) -> None:
    script.says = chat(lambda _: text_reply("barometer"))
    for _ in range(2):
        keys = server("s", tutor, cache).answer([arc_problem, arc_problem])
        assert keys == [AnswerKey(arc_problem.id, "s", "barometer", "barometer")] * 2
    (body,) = script.questions
    assert (body["max_tokens"], body["temperature"]) == (512, 0.0)
    assert len(script.asked) == 2  # one of them tried the server out


def test_a_server_that_refuses_is_one_line_without_the_key(
    tutor: Tutor, script: Script, cache: Cache, arc_problem: Problem
) -> None:
    script.says = lambda path, body: error(401, "no such key: sk-secret-of-a-tutor")
    with pytest.raises(UserError, match=r"tutor\.s: http.* did not answer .*mend base_url") as told:
        server("s", tutor, cache).answer([arc_problem])
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_problem_beyond_the_window_gets_no_key_and_the_others_do(
    tutor: Tutor, script: Script, cache: Cache, arc_problem: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = chat(lambda p: error(400, "maximum context length is 8") if "long" in p else text_reply("ruler"))
    problems = [replace(arc_problem, id="a/2", question="A long question"), arc_problem]
    assert [key and key.answer for key in server("s", tutor, cache).answer(problems)] == [None, "ruler"]
    assert "NOTE: tutor.s: 1 problems are longer than its window" in capsys.readouterr().err


def test_a_tutor_reads_as_far_as_its_budget_goes_and_the_rest_is_checked_by_construction(
    tutor: Tutor, script: Script, cache: Cache, settings: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = {"prompt_tokens": 200, "completion_tokens": 300}
    script.says = chat(lambda prompt: text_reply(prompt.partition("- ")[2].partition("\n")[0], usage=usage))
    problems = candidates("winogrande_synth", 60, seed=0, library_bound=0.0)
    mine = server("mine", replace(tutor, budget=Budget(10_000, None), concurrency=2), cache)
    tutors = {"mine": mine, "read": answerer("read", settings.tutor["read"])}
    results = keyed_problems(problems, tutors)
    read = [result.is_read for result in results]
    assert read == sorted(read, reverse=True)
    assert len(script.questions) == sum(read) in range(10, 21)
    known = agreement(results, ["mine", "read"], ALL)
    assert known.constructed == 60 - sum(read)
    assert known.words.endswith(f"% of {sum(read)}; {known.constructed} checked by construction")
    assert f"NOTE: tutor.mine read {sum(read)} of 60 problems: its budget ends after" in capsys.readouterr().err


def test_a_tutor_is_shown_the_library_that_a_problem_needs(tools: Problem) -> None:
    bound = replace(tools, library=("A brellow is what measures air.", "A dunnet is red."), needed=(0,))
    prompt = tutor_prompt(bound)
    assert all(text in prompt[: prompt.index(tools.question)] for text in bound.library)
    assert tutor_prompt(tools) in prompt


def test_a_missing_key_names_its_variable(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PFE_TEST_KEY")
    with pytest.raises(UserError, match="PFE_TEST_KEY is not set"):
        answerer("s", tutor)


@pytest.mark.slow
def test_the_stage_asks_a_local_model_and_a_server_two_hundred_problems_each_once(
    tutor: Tutor,
    script: Script,
    model_folder: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: Config,
) -> None:
    def says(prompt: str) -> Reply:
        sleep(0.005)
        return text_reply(prompt.partition("- ")[2].partition("\n")[0])

    script.says = chat(says)
    problems = list(candidates("winogrande_synth", 200, seed=0, library_bound=0.4))
    problems[100] = replace(problems[100], question=problems[99].question, choices=problems[99].choices)
    local = record(Tutor, kind="huggingface", model=model_folder("llama"), max_tokens=4)
    chosen = {"read": settings.tutor["read"], "local": local, "served": tutor}
    scale = replace(settings.scale, targets={"winogrande_synth": 200})
    monkeypatch.setattr(config, "load", lambda: replace(settings, tutor=chosen, scale=scale))
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("data/synthetic").mkdir(parents=True)
    Problem.write(problems, Path("data/synthetic/winogrande_synth.parquet"))
    answer_keys.main()
    agreements = read_record(Path("data/answer_keys/agreement.json"), dict[str, Agreement])
    first = agreements["winogrande_synth"]
    assert first.problems == 200
    assert first.tutors["read"] == 99.5  # one problem has another one's question
    assert 30 < (first.tutors["served"] or 0) < 70
    prompts = [body["messages"][0]["content"] for body in script.questions]
    assert len(prompts) == len(set(prompts)) == len({tutor_prompt(problem) for problem in problems})
    answer_keys.main()
    assert read_record(Path("data/answer_keys/agreement.json"), dict[str, Agreement]) == agreements
    assert len(script.questions) == len(prompts)
    assert first.readers == ("local", "served")
    assert len(AnswerKey.read(Path("data/answer_keys/winogrande_synth.parquet"))) == 3 * first.used


@pytest.mark.parametrize("missing", ["route", "model"])
def test_an_incomplete_entry_is_told(missing: str) -> None:
    tutor = record(Tutor, kind="procedural" if missing == "route" else "openai")
    with pytest.raises(UserError, match=rf"tutor\.mine\.{missing} is null"):
        answerer("mine", replace(tutor))
