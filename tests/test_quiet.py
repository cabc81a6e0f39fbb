"""What transformers may say, within and behind."""

from collections.abc import Iterator
from logging import ERROR, INFO
from typing import Any

import pytest
from transformers.utils import logging

from pfe.embedding.backends import on_openvino, sentence_transformer
from pfe.embedding.encoder import model_path
from pfe.quiet import quiet


def said() -> tuple[int, bool]:
    return logging.get_verbosity(), logging.is_progress_bar_enabled()


def draw_bars(bars: bool) -> None:
    (logging.enable_progress_bar if bars else logging.disable_progress_bar)()  # type: ignore[no-untyped-call]


@pytest.fixture
def _as_before() -> Iterator[None]:
    verbosity, bars = said()
    yield
    logging.set_verbosity(verbosity)
    draw_bars(bars)


def fails_within() -> None:
    with quiet():
        assert said() == (ERROR, False)
        raise OSError("no weights")


@pytest.mark.usefixtures("_as_before")
@pytest.mark.parametrize("bars", [True, False])
def test_what_transformers_may_say_is_as_before_behind_it(bars: bool) -> None:
    logging.set_verbosity_info()
    draw_bars(bars)
    with pytest.raises(OSError, match="no weights"):
        fails_within()
    assert said() == (INFO, bars)


@pytest.mark.gate
@pytest.mark.usefixtures("_as_before")
def test_nothing_is_said_while_a_model_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openvino")
    logging.set_verbosity_warning()
    once: Any = logging.get_logger("transformers").warning_once
    once.cache_clear()  # what was said before is said again
    capfd.readouterr()
    run = on_openvino(sentence_transformer(model_path("all-MiniLM-L6-v2"), "float32"), "float32")
    assert run([[101, 2028, 102]]).shape == (1, 384)
    assert capfd.readouterr() == ("", "")
