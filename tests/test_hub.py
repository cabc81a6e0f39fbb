"""Failures of the hub: one whole sentence that ends in what to do, and no long wait where there is no network."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from huggingface_hub import constants

from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.embedding.backends import sentence_transformer
from pfe.errors import UserError, sentences
from pfe.hub import cached_where_unreachable
from pfe.models.loading import describe
from pfe.rows.hub import local

# What the hub answers: status, and its own name for the error.
ANSWERS = {"private": (401, "RepoNotFound"), "gated": (403, "GatedRepo"), "revised": (404, "RevisionNotFound")}


class Hub(BaseHTTPRequestHandler):
    """A hub that has no file for anybody."""

    def do_HEAD(self) -> None:
        status, code = ANSWERS[self.path.strip("/").split("/")[1]]
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", endpoint + "/{repo_id}/resolve/{revision}/{filename}")
    yield endpoint
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("name", "revision", "told"),
    [
        ("owner/private", None, r"has nothing of this name, or hides it\); check the spelling \(owner/mod"),
        ("owner/gated", None, r"access to it must be granted first\); ask for it on .*/owner/gated, then log"),
        ("owner/revised", "v9", r"it has no such revision\); give a branch, tag or commit that .*/revised lists$"),
    ],
)  # fmt: skip
def test_what_the_hub_refuses_is_one_sentence_that_ends_in_what_to_do(
    name: str, revision: str | None, told: str, hub: str
) -> None:
    with pytest.raises(UserError, match=rf"^cannot load the model '{name}' \(.*{told}") as error:
        describe(name, revision)
    assert "\n" not in str(error.value)


def test_without_a_network_only_the_cache_is_read_and_at_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}"  # nobody listens there
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        start = time.monotonic()
        with pytest.raises(UserError) as error:
            describe("owner/model", None)
        assert time.monotonic() - start < 10, "five retries take half a minute"
    assert str(error.value) == (
        f"cannot load the model 'owner/model' ({endpoint} cannot be reached from here, and the cache does not hold "
        "it); check the network, or give a folder"
    )
    assert "Retrying" not in capfd.readouterr().err
    assert constants.HF_HUB_OFFLINE is False, "as it was before"


@pytest.mark.parametrize("kind", ["data set", "published benchmark", "encoder"])
def test_whatever_is_fetched_waits_for_no_network(
    kind: str, settings: Config, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")  # nobody listens there
    fetch: dict[str, Callable[[], object]] = {
        "data set": lambda: local("owner/nothing"),
        "published benchmark": lambda: load(
            "race", replace(settings.benchmark["race"], hub="owner/nothing"), Canonical("hub", "-")
        ),
        "encoder": lambda: sentence_transformer("owner/nothing", "float32"),
    }
    start = time.monotonic()
    with pytest.raises(UserError, match=r"http://127\.0\.0\.1:9 cannot be reached from here, and the cache does not"):
        fetch[kind]()
    assert time.monotonic() - start < 20, "five retries for each of several files take minutes"
    assert "Retrying" not in capfd.readouterr().err


def test_offline_by_wish_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(UserError, match=r"\(HF_HUB_OFFLINE is set, and the cache does not hold it\); unset it, or"):
        describe("owner/model", None)


def test_a_name_near_a_packaged_model_s_asks_whether_that_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(UserError, match=r"; did you mean 'smollm2'\? unset it"):
        describe("smolm2", None)


def test_a_proxy_is_what_is_connected_to(hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://no.such.host.invalid")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for proxy, offline in (("", True), (hub, False), (hub.removeprefix("http://"), False)):
        monkeypatch.setenv("http_proxy", proxy)
        with cached_where_unreachable("owner/model"):
            assert constants.HF_HUB_OFFLINE is offline


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One.\n  Two.", "One. Two."),
        ("One is short. " + "Two is long " * 30, "One is short."),
        ("word " * 60, "word " * 39 + "word …"),
        ("", "str"),
    ],
)
def test_what_a_library_says_is_cut_behind_a_sentence_or_else_between_words(text: str, line: str) -> None:
    assert sentences(text) == line
    assert not re.search(r"\S…", sentences(text))
