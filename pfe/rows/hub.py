"""Data sets of the Hugging Face hub, downloaded as the files of their authors.

Example: `local("openai/gsm8k@e53f048")` is a folder with main/test-00000-of-00001.parquet and the like.
"""

import re
from pathlib import Path

from pfe.errors import UserError, nearest_file, sentences
from pfe.hub import cached_where_unreachable, failure
from pfe.rows.files import SUFFIXES

_NAME = re.compile(r"([\w.-]+/[\w.-]+?)(?:@([\w./-]+))?")


def local(name: str) -> Path:
    """Return a local path: the given one, or the folder to which a data set of the hub is downloaded.

    A name is looked up on the hub if it is not a path that exists and has the form `owner/name` or
    `owner/name@revision`.

    Raises:
        UserError: neither path nor data set exists, or the hub cannot be reached.
    """
    match = _NAME.fullmatch(name)
    if Path(name).exists() or not match or name.lower().endswith(SUFFIXES):
        return Path(name)
    from huggingface_hub import snapshot_download

    try:
        with cached_where_unreachable(name):
            return Path(snapshot_download(match[1], repo_type="dataset", revision=match[2]))
    except Exception as error:  # huggingface_hub and httpx each raise their own kinds
        known = failure(error, f"datasets/{match[1]}")
        reason = known.reason if known else f"{type(error).__name__}: {sentences(error)}"
        raise UserError(
            f"{name}: no such file or folder here, and not to be had from the hub ({reason}); "
            f"{nearest_file(Path(name)) or 'check the path, or the network and your access'}"
        ) from None
