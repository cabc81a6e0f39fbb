"""Which weights a model has, so that no other model is taken for it.

Example: `weights_of("data/models/student", config)` is "sha256 5c1d…", and of a model on the hub
"meta-llama/Meta-Llama-3-8B at 8cde5ca8…".
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

from huggingface_hub import try_to_load_from_cache

from pfe.errors import UserError

_DECIDING = ("*.safetensors", "*.bin", "*.json", "*.model", "*.txt", "*.jinja", "*.tiktoken", "*.vocab")
_BLOCK = 2**22  # bytes


def weights_of(path: str, config: Any) -> str:
    """The hash of all files of a folder that decide what its model says; of a hub model, its commit.

    Where the commit of a hub model is not known, its files are hashed where they were downloaded to.

    Raises:
        UserError: neither can be had.
    """
    folder = Path(path)
    if not folder.is_dir():
        if commit := getattr(config, "_commit_hash", None):
            return f"{path} at {commit}"
        file = try_to_load_from_cache(path, "config.json")
        if not isinstance(file, str):
            raise UserError(f"'{path}': which revision of it this is cannot be told; download it to a folder")
        folder = Path(file).parent
    digest = sha256()
    for file in sorted(file for pattern in _DECIDING for file in folder.glob(pattern)):
        digest.update(file.name.encode() + b"\0" + file.stat().st_size.to_bytes(8, "little"))
        with file.open("rb") as content:
            while block := content.read(_BLOCK):
                digest.update(block)
    return f"sha256 {digest.hexdigest()}"
