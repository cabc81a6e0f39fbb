"""The tokenized corpus: rows in tokens, in reading order, packed into passes (batches).

Example: `in_passes(rows, order, sequence=512, most=4096)` is a list of passes, each a list of sequences of row numbers.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import overload

from datasets import Dataset
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from pfe.errors import UserError
from pfe.training.prefix_sharing import Example, collate, examples, in_batches, joined, lay_out

Row = list[Example]
Pass = Sequence[Sequence[int]]  # the row numbers of each sequence


class Lessons(Sequence[Row]):
    """The rows of a corpus in tokens, tokenized on first access, without lessons of more than `context` tokens."""

    def __init__(self, corpus: Dataset, tokenizer: PreTrainedTokenizerBase, context: int) -> None:
        self._corpus, self._tokenizer, self._context = corpus, tokenizer, context
        self._rows: dict[int, Row] = {}
        self._sizes: dict[int, int] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._corpus)

    @overload
    def __getitem__(self, number: int) -> Row: ...
    @overload
    def __getitem__(self, number: slice) -> list[Row]: ...
    def __getitem__(self, number: int | slice) -> Row | list[Row]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if number not in self._rows:
            every = examples(self._corpus[number], self._tokenizer)
            self._total += len(every)
            self._rows[number] = [one for one in every if len(one.tokens) <= self._context]
        return self._rows[number]

    def tokens(self, number: int) -> int:
        """Return the number of tokens of a row as laid out; 0 if no lesson is short enough."""
        if number not in self._sizes:
            self._sizes[number] = len(lay_out(self[number]).tokens) if self[number] else 0
        return self._sizes[number]

    @property
    def read(self) -> list[Row]:
        """Return the rows accessed so far that have a lesson left; if there are none, the first other such row.

        Raises:
            UserError: no lesson of the corpus is short enough.
        """
        made = [row for row in self._rows.values() if row] or list(islice(filter(None, self), 1))
        if not made:
            raise UserError(f"no lesson of the corpus fits student.context={self._context}; raise it")
        return made

    @property
    def longest(self) -> int:
        """Return the tokens of the longest lesson in `read`."""
        return max(len(lesson.tokens) for row in self.read for lesson in row)

    def note(self) -> None:
        """Print how many lessons were too long."""
        left = sum(map(len, self.read))
        if left < self._total:
            print(
                f"NOTE: {self._total - left:,} of {self._total:,} lessons do not fit student.context={self._context} "
                "and are not read"
            )


def in_passes(rows: Lessons, order: Sequence[int], sequence: int, most: int) -> list[Pass]:
    """Return the passes of a training that reads the rows in this order.

    Args:
        order: numbers of rows that have lessons, as `reading_order` returns them.
        sequence: the target length, in tokens, of packed sequences.
        most: the maximum number of tokens in a pass.

    Raises:
        UserError: no row is left to read.
    """
    batches = in_batches([rows.tokens(number) for number in order], sequence, most)
    made: list[Pass] = [[[order[place] for place in places] for places in batch] for batch in batches]
    if not made:
        raise UserError(f"of {len(rows):,} rows of the corpus none is read; raise student.tokens or student.context")
    return made


def tensors(rows: Lessons, of_pass: Pass, padding: int) -> dict[str, Tensor]:
    """Return a pass as the tensors that the trainer takes, laid out by `collate`."""
    return collate([joined([lay_out(rows[number]) for number in numbers]) for numbers in of_pass], padding)


def trial(rows: Sequence[Row]) -> Row:
    """Return two lessons with a shared prefix: the shortest two of a row, or the longest twice if no row has two."""
    pairs = [sorted(row, key=lambda lesson: len(lesson.tokens))[:2] for row in rows if len(row) > 1]
    if pairs:
        return min(pairs, key=lambda pair: len(pair[-1].tokens))
    longest = max((lesson for row in rows for lesson in row), key=lambda lesson: lesson.prompt)
    return [longest, replace(longest, library=0)]
