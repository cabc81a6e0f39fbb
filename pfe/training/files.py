"""Readers of the training corpus that the stage `corpus` wrote.

Example: `read_corpus(Path("data/corpus"))[0]["prompts"]` is the prompts of the first row.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from datasets import Dataset

from pfe.errors import UserError


def read_corpus(folder: Path) -> Dataset:
    """Load the corpus into memory.

    Raises:
        UserError: it is missing or damaged.
    """
    try:
        return Dataset.load_from_disk(folder, keep_in_memory=True)
    except FileNotFoundError:
        raise UserError(f"{folder}: no such corpus; run `dvc repro corpus`") from None
    except Exception as error:  # datasets, Arrow and json each raise their own kinds
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise UserError(f"{folder}: not a corpus ({reason}); run `dvc repro --force corpus`") from None


def distinct_texts(corpus: Dataset) -> Iterator[str]:
    """Yield every text of the corpus for training a tokenizer, each library once."""
    read = set()
    for row in corpus:
        if row["library"] not in read:
            read.add(row["library"])
            yield row["library"]
        yield from (prompt + end for prompt, end in zip(row["prompts"], row["completions"], strict=True))


def corpus_sha256(corpus: Dataset) -> str:
    """Return the hash of the corpus's rows in order, independent of how they are stored."""
    digest = sha256()
    for row in corpus:
        digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()
