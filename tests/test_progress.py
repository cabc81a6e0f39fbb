"""Progress: on a terminal, after two seconds, with its total, and gone at the end; otherwise not a character."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, TextIO

import pytest

from pfe import progress as module
from pfe.progress import progress, tracked
from pfe.report.gallery import samples
from tests.conftest import ROOT


class Terminal(NamedTuple):
    """What is written to the standard error, and what a person sees of it next, who waits until there is something."""

    screen: TextIO
    seen: Callable[[], str]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """The standard error, as a terminal."""
    ours, theirs = os.openpty()
    screen = os.fdopen(theirs, "w")
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=screen))  # sys.stderr itself is the capture of the tests
    yield Terminal(screen, lambda: os.read(ours, 1 << 16).decode())
    os.close(ours)  # first: the other end waits until what it wrote is read, or nobody is there to read it
    with suppress(OSError):
        screen.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits at all is shown something."""
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for so long."""
    monkeypatch.setattr(module, "QUIET_SECONDS", 3600.0)


def test_two_seconds_are_quiet() -> None:
    assert module.QUIET_SECONDS == 2.0


def test_a_terminal_shows_the_total_before_the_first_is_done(terminal: Terminal, at_once: None) -> None:
    with progress(7, "firewall", "shard") as done:
        shown = terminal.seen()
        assert "firewall" in shown
        assert "0/7" in shown
        done(7)


def test_what_was_shown_is_gone_at_the_end(terminal: Terminal, at_once: None) -> None:
    with progress(2, "firewall", "shard") as done:
        terminal.seen()
        done(2)
    last = terminal.seen().split("\r")[-1]
    assert not last.strip()


def test_what_is_done_soon_shows_nothing(terminal: Terminal, never: None) -> None:
    assert list(tracked(range(3), "calibrate", "attack")) == [0, 1, 2]
    terminal.screen.write("nothing before")
    terminal.screen.flush()
    assert terminal.seen() == "nothing before"


def test_a_log_and_a_pipe_get_nothing(monkeypatch: pytest.MonkeyPatch, at_once: None) -> None:
    log = io.StringIO()
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=log))
    with progress(2, "firewall", "shard") as done:
        done(2)
    assert list(tracked("ab", "calibrate", "attack")) == ["a", "b"]
    assert log.getvalue() == ""


def test_an_error_in_the_middle_leaves_no_bar(terminal: Terminal, at_once: None) -> None:
    with suppress(ZeroDivisionError), progress(2, "firewall", "shard"):
        terminal.seen()
        print(1 / 0)
    assert not terminal.seen().split("\r")[-1].strip()


def test_the_gallery_says_which_of_how_many_families(terminal: Terminal, at_once: None) -> None:
    samples(["format_synth"], None, 1, 0)
    assert "gallery: " in terminal.seen()


def test_bars_are_drawn_in_one_place() -> None:
    drawn = [path for folder in ("pfe", "stages") for path in (ROOT / folder).rglob("*.py") if "tqdm(" in _text(path)]
    assert drawn == [ROOT / "pfe/progress.py"]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
