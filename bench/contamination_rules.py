"""Word-based rules that detect contaminated texts: ours, SPEC's double loop, datatrove's and lm-eval's.

Example: `RULES["lm-eval"].prepare(originals)(["a paraphrase"])` is [False]

Every rule is the other project's own code with its own defaults; only the reading of that project's files is replaced.
"""

import contextlib
import io
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pfe.firewall.tokens import NgramIndex, tokenize
from pfe.problem import Problem

N, THRESHOLD = 5, 0.3  # SPEC's
Judge = Callable[[Sequence[str]], list[bool]]


@dataclass(frozen=True)
class Rule:
    """A rule and how it is measured.

    Attributes:
        name: its name in the table.
        prepare: builds from canonical problems a judge of texts, which returns True for a contaminated text.
        sample: the number of candidates on which it is timed at full size; None for all.
        for_paraphrases: whether it is fast enough to judge the known paraphrases one by one.
    """

    name: str
    prepare: Callable[[Sequence[Problem]], Judge]
    sample: int | None = None
    for_paraphrases: bool = True


def _ours(canonical: Sequence[Problem]) -> Judge:
    index = NgramIndex([problem.text for problem in canonical], N)

    def judge(texts: Sequence[str]) -> list[bool]:
        overlap = index.containment(index.count(texts))
        contaminated: list[bool] = (10 * overlap.shared > 3 * overlap.total).tolist()
        return contaminated

    return judge


def _ngrams(text: str) -> set[tuple[str, ...]]:
    words = tokenize(text)
    return set(zip(*(words[place:] for place in range(N)), strict=False))


def _double_loop(canonical: Sequence[Problem]) -> Judge:
    """Return SPEC's `check_token_overlap`, with the canonical sets built once."""
    theirs = [_ngrams(problem.text) for problem in canonical]
    return lambda texts: [not _is_safe(text, theirs, lambda grams: grams) for text in texts]


def _double_loop_as_written(canonical: Sequence[Problem]) -> Judge:
    """Return SPEC's `check_token_overlap`, which builds every canonical set again for every candidate."""
    theirs = [problem.text for problem in canonical]
    return lambda texts: [not _is_safe(text, theirs, _ngrams) for text in texts]


def _is_safe(synthetic: str, canonical: Sequence[Any], ngrams: Callable[[Any], set[tuple[str, ...]]]) -> bool:
    grams = _ngrams(synthetic)
    for problem in canonical:
        theirs = ngrams(problem)
        if grams and len(grams & theirs) / len(grams) > THRESHOLD:
            return False
    return True


def _datatrove(**settings: Any) -> Callable[[Sequence[Problem]], Judge]:
    """Return datatrove's NGramsDecontFilter; its index has the problems' texts (query) and answers (label).

    `NGramsDecontIndexer` itself reads tasks from lighteval and cannot be instantiated without it. The hashes come from
    its own `compute_hashes`, and are written in its file format. datatrove splits English with spaCy. If spaCy is not
    installed, the filter gets a tokenizer that splits at white space, because datatrove removes the punctuation first.
    """

    def prepare(canonical: Sequence[Problem]) -> Judge:
        import numpy as np

        decont = import_module("datatrove.pipeline.decont.n_grams")
        document = import_module("datatrove.data").Document
        config, tokenizer = decont.NGramsDecontConfig(**settings), _datatrove_tokenizer()
        hashed = import_module("datatrove.utils.hashing").create_hash_func(config.hash_config)

        def hash_func(ngram: str) -> Any:
            return hashed(ngram.encode())  # xxhash encoded texts itself before version 4

        indexer = SimpleNamespace(config=config, tokenizer=tokenizer, hash_func=hash_func)
        hashes = set()
        for problem in canonical:
            label = problem.solution or problem.answer
            hashes.update(decont.NGramsDecontIndexer.compute_hashes(indexer, label, problem.text))
        with tempfile.TemporaryDirectory() as folder:
            np.array(list(hashes), config.hash_config.np_descr).tofile(Path(folder) / "canonical.index.hashes")
            gate = decont.NGramsDecontFilter(folder, config, language=tokenizer)
            gate.hash_func = hash_func
            gate.load_index_hashes()
        return lambda texts: [gate.filter(document(text, str(row))) is not True for row, text in enumerate(texts)]

    return prepare


def has_spacy() -> bool:
    """Return whether spaCy is installed, with which datatrove splits English by default."""
    return find_spec("spacy") is not None


def _datatrove_tokenizer() -> Any:
    tokenizers = import_module("datatrove.utils.word_tokenizers")
    if has_spacy():
        return tokenizers.load_word_tokenizer("en")
    methods = {"word_tokenize": lambda self, text: text.split(), "sent_tokenize": None, "span_tokenize": None}
    return type("WhiteSpace", (tokenizers.WordTokenizer,), methods)()


def _lm_eval(canonical: Sequence[Problem]) -> Judge:
    """Return lm-eval's rule: a text is contaminated if any of its 13-grams is in a canonical problem.

    It uses lm-eval's `Janitor` and `word_ngrams` like `get_train_overlap` of lm_eval.decontamination, without the
    sorted files of training n-grams.
    """
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        module = import_module("lm_eval.decontamination.janitor")  # prints that its C++ part is missing
    janitor = module.Janitor()
    for problem in canonical:
        janitor.register_contaminant_python(problem.text)

    def judge(texts: Sequence[str]) -> list[bool]:
        plain = map(janitor.normalize_string, texts)
        return [
            any(gram in janitor.dirt_ngrams for gram in module.word_ngrams(text, janitor.ngram_n)) for text in plain
        ]

    return judge


RULES = {
    "ours": Rule("PFE, n-gram check alone: 5-grams > 0.3", _ours),
    "loop": Rule("SPEC's double loop, cached sets", _double_loop, sample=20),
    "written": Rule("SPEC's double loop, as written", _double_loop_as_written, sample=2, for_paraphrases=False),
    "datatrove": Rule("datatrove NGramsDecontFilter, 12-grams", _datatrove()),
    "datatrove_query": Rule("  with find_query_ngrams=True", _datatrove(find_query_ngrams=True)),
    "lm-eval": Rule("lm-eval, any 13-gram", _lm_eval),
}
