"""The identity of a model's weights: a hash of its files, or the commit of a hub model.

Example: `weights_of("data/models/student", config)` is "sha256 5c1d…", and likewise for a GGUF file; for a model on the
hub it is "meta-llama/Meta-Llama-3-8B at 8cde5ca8…".
"""

from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from huggingface_hub import try_to_load_from_cache

from pfe.errors import UserError

_DECIDING = ("*.safetensors", "*.bin", "*.json", "*.model", "*.txt", "*.jinja", "*.tiktoken", "*.vocab")
_BLOCK = 2**22  # bytes


def weights_of(path: str, config: Any) -> str:
    """Return the hash of a file, or of all files in a folder that affect answers; for a hub model, its commit.

    If the commit of a hub model is not known, its downloaded files are hashed.

    Raises:
        UserError: neither commit nor downloaded files are found.
    """
    folder = Path(path)
    if folder.is_file():
        return f"sha256 {file_sha256(folder)}"
    if not folder.is_dir():
        if commit := getattr(config, "_commit_hash", None):
            return f"{path} at {commit}"
        file = try_to_load_from_cache(path, "config.json")
        if not isinstance(file, str):
            raise UserError(f"'{path}': its revision cannot be determined; download it to a folder")
        folder = Path(file).parent
    digest = sha256()
    for file in sorted(file for pattern in _DECIDING for file in folder.glob(pattern)):
        digest.update(file.name.encode() + b"\0" + file.stat().st_size.to_bytes(8, "little"))
        with file.open("rb") as content:
            while block := content.read(_BLOCK):
                digest.update(block)
    return f"sha256 {digest.hexdigest()}"


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file's content, which is read again only if its size or modification time changes."""
    state = file.stat()
    return _content_sha256(file, state.st_size, state.st_mtime_ns)


@cache
def _content_sha256(file: Path, _size: int, _time: int) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
