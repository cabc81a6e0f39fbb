"""What transformers may say, within and behind."""

from collections.abc import Iterator
from logging import ERROR, INFO

import pytest
from transformers.utils import logging

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
