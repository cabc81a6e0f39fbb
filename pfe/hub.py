"""The Hugging Face hub: whether it can be reached, and explanations of its errors.

Example: without a network, `cached_where_unreachable("owner/model")` reads the cache alone. For the error that this
raises, `failure(error, "owner/model")` is Failure("https://huggingface.co cannot be reached from here, and the cache
does not hold it", "check the network, or give a folder").
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

_UNREACHABLE = ContextVar("_UNREACHABLE", default=False)  # whether only the cache is read, for lack of a connection
_PATIENCE = 4.0  # seconds to wait for a connection


@dataclass(frozen=True)
class Failure:
    """The reason why a download from the hub failed, as a clause, and the remedy."""

    reason: str
    remedy: str


@contextmanager
def cached_where_unreachable(name: str) -> Iterator[None]:
    """Read the hub from the cache alone inside the block if no connection can be made.

    Otherwise the network library would retry for half a minute and print a line for each attempt. If `name` is a local
    folder, the hub is not needed and nothing changes.
    """
    if Path(name).exists():
        yield
        return
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    unreachable = _UNREACHABLE.set(not before and not _connects(constants.ENDPOINT))
    constants.HF_HUB_OFFLINE = before or _UNREACHABLE.get()
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before
        _UNREACHABLE.reset(unreachable)


def failure(error: BaseException, name: str) -> Failure | None:
    """Return the explanation of an error from the hub; None if the error has another cause."""
    from huggingface_hub import constants, errors

    causes = tuple(_causes(error))
    page = f"{constants.ENDPOINT}/{name}"
    if any(isinstance(cause, errors.GatedRepoError) for cause in causes):
        return Failure("access to it must be granted first", f"ask for it on {page}, then log in: hf auth login")
    if any(isinstance(cause, errors.RepositoryNotFoundError | errors.HFValidationError) for cause in causes):
        return Failure(
            f"{constants.ENDPOINT} has nothing of this name, or hides it",
            "check the spelling (owner/model), or log in to see what is private: hf auth login",
        )
    if any(isinstance(cause, errors.RevisionNotFoundError) for cause in causes):
        return Failure("it has no such revision", f"give a branch, tag or commit that {page} lists")
    # ConnectionError is what datasets raises, without its cause.
    unreached = errors.OfflineModeIsEnabled | errors.LocalEntryNotFoundError | ConnectionError
    if any(isinstance(cause, unreached) for cause in causes):
        if constants.HF_HUB_OFFLINE and not _UNREACHABLE.get():
            return Failure("HF_HUB_OFFLINE is set, and the cache does not hold it", "unset it, or give a folder")
        reason = f"{constants.ENDPOINT} cannot be reached from here, and the cache does not hold it"
        return Failure(reason, "check the network, or give a folder")
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _connects(endpoint: str) -> bool:
    """Return whether a connection can be made to an address, or to the proxy in front of it."""
    address = urlsplit(endpoint)
    proxy = getproxies().get(address.scheme)
    if proxy and not proxy_bypass(address.hostname or ""):
        address = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    port = address.port or (443 if address.scheme == "https" else 80)
    try:
        socket.create_connection((address.hostname or "", port), timeout=_PATIENCE).close()
    except OSError:
        return False
    return True
