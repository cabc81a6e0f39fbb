"""A context in which transformers prints no warnings and no progress bars, since PFE reports what matters itself.

Example: `with quiet(): model.save_pretrained(folder)`.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    """Silence transformers' warnings and progress bars inside the block; restore both settings at its end."""
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
