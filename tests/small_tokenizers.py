"""Small tokenizers of the kinds that models have, trained on the spot."""

from collections.abc import Callable
from typing import Any

from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, trainers
from tokenizers import models as token_models
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from tests.small_models import TEXT

_PHRASES = ["Question: a?\nAnswer: yes", "Answer: a bird", "[PROBLEM]\nQuestion: b", "is too large", "the quick brown"]
_CHARACTERS = sorted({*map(chr, range(32, 127)), "\n", "é", "▁"})


def byte_level(opening: bool = False) -> PreTrainedTokenizerFast:
    """As of GPT-2, or, with a token that opens every text, Llama 3: white space goes with the word behind it."""
    tokenizer = Tokenizer(token_models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "<e>"] if opening else ["<e>"]
    tokenizer.train_from_iterator(TEXT, trainers.BpeTrainer(special_tokens=special, initial_alphabet=alphabet))
    if not opening:
        return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<e>")
    tokenizer.post_processor = TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<e>")


def metaspace() -> PreTrainedTokenizerFast:
    """As of Gemma: every text begins with a space of its own, and with a token that says so."""
    tokenizer = Tokenizer(token_models.BPE(unk_token="<u>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace()
    special = ["<s>", "<e>", "<u>"]
    trainer = trainers.BpeTrainer(special_tokens=special, vocab_size=300, initial_alphabet=_CHARACTERS)
    tokenizer.train_from_iterator(TEXT, trainer)
    return _opened(tokenizer)


def sentencepiece() -> PreTrainedTokenizerFast:
    """As of Llama 2: spaces are letters, a text begins with one, and words are not taken apart first."""
    tokenizer = Tokenizer(token_models.BPE(unk_token="<u>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Metaspace()
    words = [f"▁{word}" for text in TEXT for word in text.replace("\n", " \n ").split(" ")]
    trainer = trainers.BpeTrainer(special_tokens=["<s>", "<e>", "<u>"], vocab_size=300, initial_alphabet=_CHARACTERS)
    bare = Tokenizer(token_models.BPE(unk_token="<u>", fuse_unk=True))
    bare.train_from_iterator(words, trainer)
    tokenizer.model = bare.model
    return _opened(tokenizer)


def unigram() -> PreTrainedTokenizerFast:
    """As of XGLM: the likeliest pieces, between spaces."""
    tokenizer = Tokenizer(token_models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        special_tokens=["<s>", "<e>", "<u>"], unk_token="<u>", vocab_size=200, initial_alphabet=_CHARACTERS
    )
    tokenizer.train_from_iterator(TEXT * 4, trainer)
    return _opened(tokenizer)


def word_piece(framed: bool = True) -> PreTrainedTokenizerFast:
    """As of BERT: spaces are lost; where it is framed, a token closes every text too."""
    tokenizer = Tokenizer(token_models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[CLS]", "[SEP]", "[UNK]"]
    trainer = trainers.WordPieceTrainer(special_tokens=special, vocab_size=200, initial_alphabet=_CHARACTERS)
    tokenizer.train_from_iterator(TEXT, trainer)
    if framed:
        frame = [("[CLS]", 0), ("[SEP]", 1)]
        tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=frame)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="[CLS]", eos_token="[SEP]", unk_token="[UNK]")


def merging() -> PreTrainedTokenizerFast:
    """Merges over spaces and lines: tokens go over every border there is."""
    tokenizer = Tokenizer(token_models.BPE())
    trainer = trainers.BpeTrainer(special_tokens=["<e>"], vocab_size=260, initial_alphabet=_CHARACTERS)
    tokenizer.train_from_iterator([*_PHRASES, *TEXT] * 20, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<e>")


def _opened(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    tokenizer.post_processor = TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<e>", unk_token="<u>")


TOKENIZERS: dict[str, Callable[[], Any]] = {
    "byte-level": byte_level,
    "byte-level, opened": lambda: byte_level(opening=True),
    "metaspace": metaspace,
    "sentencepiece": sentencepiece,
    "unigram": unigram,
    "word pieces": lambda: word_piece(framed=False),
    "word pieces, framed": word_piece,
    "merging": merging,
}
