"""How a stage or command ends badly: one line on the screen, exit status 1, no traceback.

Example:
    @told
    def main() -> None: ...
"""

import errno
import functools
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec

from pfe.errors import UserError

FULL = (errno.ENOSPC, errno.EDQUOT)
P = ParamSpec("P")


def told(main: Callable[P, None]) -> Callable[P, None]:
    """Decorate a main function so that the user's mistakes are told, not traced."""

    @functools.wraps(main)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            main(*args, **kwargs)
        except UserError as error:
            _end(str(error), 1)
        except KeyboardInterrupt:
            _end("interrupted; nothing half-written was kept, run it again to go on", 130)
        except Exception as error:
            if not _disk_is_full(error):
                raise
            _end("no space left on the disk; free some and run it again, nothing half-written was kept", 1)

    return wrapper


def _disk_is_full(error: Exception) -> bool:
    """Libraries in other languages (safetensors, Arrow) tell it in words, not always by number."""
    return (isinstance(error, OSError) and error.errno in FULL) or "No space left on device" in str(error)


def _end(message: str, status: int) -> NoReturn:
    print(f"pfe: {message}", file=sys.stderr)
    sys.exit(status)
