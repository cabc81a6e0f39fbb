"""transformers without its warnings and bars, where what they say is told here in one line or is no concern of anyone.

Example: `with quiet(): model.save_pretrained(folder)`.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    """Within it transformers warns of nothing and draws no bars; behind it both are as they were."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
