"""Agreement among tutors; a tutor behind a real server on loopback; a local model as a tutor."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pfe.cache import Cache
from pfe.config import Config, Tutor
from pfe.errors import UserError
from pfe.problem import AnswerKey, Problem
from pfe.tutors.generate import candidates
from pfe.tutors.keys import agreement, answered, answerer
from pfe.tutors.server import Server


@dataclass(frozen=True)
class Says:
    """A tutor that always says the same."""

    name: str
    text: str | None

    def answer(self, problem: Problem) -> AnswerKey | None:
        return None if self.text is None else AnswerKey(problem.id, self.name, self.text, self.text)


def test_the_five_default_tutors_agree_on_a_synthetic_problem(settings: Config) -> None:
    tutors = {name: answerer(name, tutor) for name, tutor in settings.tutor.items()}
    assert len(tutors) == 5
    for problem in candidates("winogrande_synth", 5, seed=0):
        result = answered(problem, tutors)
        assert result.agreed
        assert [key.tutor for key in result.keys] == list(tutors)


@pytest.mark.parametrize("odd", [Says("b", "ruler"), Says("b", None)])
def test_one_dissent_or_silence_is_no_agreement(arc_problem: Problem, odd: Says) -> None:
    result = answered(arc_problem, {"a": Says("a", "barometer"), "b": odd})
    assert not result.agreed
    assert result.right == ("a",)


def test_agreement_is_told_per_set_and_tutor(arc_problem: Problem) -> None:
    both = answered(arc_problem, {"a": Says("a", "barometer"), "b": Says("b", "Barometer")})
    one = answered(arc_problem, {"a": Says("a", "barometer"), "b": Says("b", "ruler")})
    assert agreement([both, one], ["a", "b"]) == {
        "problems": 2, "used": 1, "agreement": 50.0, "tutors": {"a": 100.0, "b": 50.0},
    }  # fmt: skip
    assert agreement([], ["a"])["agreement"] is None


class _Chat(BaseHTTPRequestHandler):
    """Just enough of the OpenAI protocol: answers every chat with `text`, or with `status`."""

    text, status, calls = "barometer", 200, 0

    def do_POST(self) -> None:
        type(self).calls += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": self.text}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "m",
                 "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
        body = json.dumps(reply if self.status == 200 else {"error": {"message": "refused"}}).encode()
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Tutor, type[_Chat]]]:
    handler = type("Chat", (_Chat,), {"calls": 0})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PFE_TEST_KEY", "secret")
        url = f"http://127.0.0.1:{server.server_port}/v1"
        yield Tutor(kind="openai", model="m", base_url=url, key_variable="PFE_TEST_KEY"), handler
        server.shutdown()


def test_a_server_s_answer_is_asked_for_once_and_kept(
    chat: tuple[Tutor, type[_Chat]], tmp_path: Path, arc_problem: Problem
) -> None:
    tutor, handler = chat
    for _ in range(2):
        key = Server("s", tutor, Cache(tmp_path / "c.sqlite")).answer(arc_problem)
        assert key == AnswerKey(arc_problem.id, "s", "barometer", "barometer")
    assert handler.calls == 1


def test_a_server_that_refuses_is_one_line_without_the_key(
    chat: tuple[Tutor, type[_Chat]], tmp_path: Path, arc_problem: Problem
) -> None:
    tutor, handler = chat
    handler.status = 401
    with pytest.raises(UserError, match=r"tutor\.s: http.* did not answer .*mend base_url") as told:
        Server("s", tutor, Cache(tmp_path / "c.sqlite")).answer(arc_problem)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_missing_key_names_its_variable(chat: tuple[Tutor, type[_Chat]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PFE_TEST_KEY")
    with pytest.raises(UserError, match="PFE_TEST_KEY is not set"):
        answerer("s", chat[0])


def test_a_local_model_can_be_a_tutor(model_folder: Callable[[str], str], arc_problem: Problem) -> None:
    local = answerer("local", Tutor(kind="huggingface", model=model_folder("llama"), max_tokens=4))
    key = local.answer(arc_problem)
    assert key is None or key.tutor == "local"


@pytest.mark.parametrize("missing", ["route", "model"])
def test_an_incomplete_entry_is_told(missing: str) -> None:
    tutor = Tutor(kind="procedural" if missing == "route" else "openai")
    with pytest.raises(UserError, match=rf"tutor\.mine\.{missing} is null"):
        answerer("mine", replace(tutor))
