"""Loading of causal language models from folders, the Hugging Face hub, GGUF files and adapters.

Example: `load("data/models/student", None, "float32", "auto")` has the weights
"sha256 5c1d…" and the arithmetic "float32 on cpu".

Custom code of a model is never run: `trust_remote_code` is false in every call.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    GgufConfig,
    PretrainedConfig,
)
from transformers import __version__ as transformers_version

from pfe import hub
from pfe.errors import UserError, sentences
from pfe.models import adapter, gguf
from pfe.models.chat import ChatTemplate
from pfe.models.identity import weights_of
from pfe.models.kinds import INSTEAD, other_kind
from pfe.models.precision import Arithmetic, arithmetic
from pfe.models.source import Source, locate, near_packaged
from pfe.quiet import quiet

CUSTOM_CODE = "it brings code of its own, which is never run here"
UNKNOWN_WINDOW = 2048  # tokens, if neither configuration nor tokenizer names a context window
_UNLIMITED = 10**15  # tokens; a tokenizer without a limit reports a greater number
_CAUSAL_TRIAL = 9  # tokens
RUNNABLE = (
    f"mend its config.json, or take a model that transformers {transformers_version} and torch {torch.__version__} run"
)


@dataclass(frozen=True)
class Description:
    """A model's source, configuration and tokenizer, without its weights.

    `window` is the context window in tokens; `ends` are the token ids after which the model stops generating; `names`
    are its names in its files. `revision` is the requested one, or the one that an adapter names, if any.
    """

    source: Source
    revision: str | None
    config: Any
    tokenizer: Any
    window: int
    ends: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def weights(self) -> str:
        """The identity of the weights, including those of an adapter."""
        base = weights_of(self.source.file or self.source.place, self.config)
        mine = self.source.adapter
        return f"{weights_of(mine.folder, None)} on {base}" if mine else base


@dataclass(frozen=True)
class LoadedModel:
    """A model in evaluation mode with its tokenizer; `window` is the context window in tokens.

    Prompts go through the `chat` template, if there is one. `weights` identifies the weights, and `revision` is the
    requested one ("" if none was).
    """

    model: Any
    tokenizer: Any
    device: str
    window: int
    weights: str
    revision: str = ""
    chat: ChatTemplate | None = None

    @property
    def arithmetic(self) -> str:
        """The dtype and the device of the computation: "float32 on cpu"."""
        return f"{str(self.model.dtype).removeprefix('torch.')} on {self.device}"

    @property
    def identity(self) -> str:
        """All that determines its answers in addition to the prompt: weights, arithmetic, chat template."""
        return " ".join((self.weights, self.arithmetic, *([self.chat.identity] if self.chat else [])))


@contextmanager
def naming_entry(name: str) -> Iterator[None]:
    """Put the configuration entry, `models.<name>`, at the beginning of user errors."""
    try:
        yield
    except UserError as error:
        raise UserError(f"models.{name}: {error}") from None


def describe(path: str, revision: str | None) -> Description:
    """Read a model's configuration and tokenizer from a folder, a GGUF file or the hub.

    Raises:
        UserError: there is no such model, or its files are damaged, are those of another kind of model, or need
            custom code.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    source = locate(path)
    at = source.adapter.revision if source.adapter else revision
    with source.opened():
        names = gguf.check(source.file) if source.file else ()
        config = _config(source, at)
        tokenizer = _tokenizer(source, at)
        with explaining(source, lambda _: "mend its config.json, or fetch it again"):
            window = _window(config, tokenizer)
            tokenizer.model_max_length = sys.maxsize  # no warning of long texts, as `pfe.models.tokens` truncates them
            ends = _ends(source, at, config, tokenizer)
            return Description(source, at, config, tokenizer, window, ends, names or _names(source, at))


def load(path: str, revision: str | None, dtype: str, device: str) -> LoadedModel:
    """Load a model from a folder, a GGUF file or the hub.

    Args:
        dtype: "float32", "bfloat16", or "auto" for bfloat16 if the device multiplies it natively, else float32.
        device: "cpu", "cuda", or "auto" for cuda if it is available, else cpu.

    Raises:
        UserError: it does not exist, is damaged, does not fit into memory, or is no causal language model.
    """
    return with_weights(describe(path, revision), arithmetic(dtype, device))


def with_weights(description: Description, how: Arithmetic, chat: ChatTemplate | None = None) -> LoadedModel:
    """Load the weights of a described model, to be prompted through the template `chat`, if any.

    Raises:
        UserError: they are missing, damaged or another model's, do not fit into memory, cannot compute, or are not
            causal.
    """
    source = description.source
    try:
        with source.opened():
            model = _weights(description, how.dtype, how.device)
        with explaining(source):
            _check_causal(model, source)
    except torch.OutOfMemoryError:
        raise UserError(_too_large(source, how.dtype, how.device)) from None
    return LoadedModel(
        model,
        description.tokenizer,
        how.device,
        description.window,
        description.weights,
        description.revision or "",
        chat,
    )


def _config(source: Source, revision: str | None) -> Any:
    def remedy(error: Exception) -> str:
        message = str(error)
        if _wants_code(error):
            raise source.unloadable(CUSTOM_CODE, "take a model whose architecture transformers has")
        if "does not recognize this architecture" in message or "Unrecognized model" in message:
            return f"transformers {transformers_version} has no such model_type; mend its config.json, or update it"
        if source.local:
            return "mend its config.json, or fetch it again"
        return "give a folder with config.json, weights and tokenizer, or a hub name your network and token reach"

    with explaining(source, remedy):
        config = AutoConfig.from_pretrained(
            source.place, revision=revision, trust_remote_code=False, **source.arguments
        )
    for name, value in vars(config).items():
        if "_implementation" in name and "/" in str(value):
            raise source.unloadable(f"{CUSTOM_CODE}: {value}", "remove what names it from its config.json")
    if reason := other_kind(config):
        raise source.unloadable(reason, f"{INSTEAD}; for one that embeds sentences, set kind: embedding")
    return config


def _tokenizer(source: Source, revision: str | None) -> Any:
    mine = source.adapter
    if mine and mine.has_tokenizer:
        source, revision = Source(source.path, mine.folder), None
    place = Path(source.place)

    def remedy(error: Exception) -> str:
        if _wants_code(error):
            raise source.unloadable(f"its tokenizer: {CUSTOM_CODE}", "save the tokenizer as tokenizer.json")
        if place.is_dir() and not any(place.glob("*token*")) and not any(place.glob("vocab*")):
            return "it has no tokenizer; save the one it was trained with into the folder (save_pretrained)"
        return "its tokenizer cannot be read; save the one it was trained with into the folder again (save_pretrained)"

    with explaining(source, remedy):
        tokenizer: Any = AutoTokenizer.from_pretrained(
            source.place, revision=revision, trust_remote_code=False, **source.arguments
        )
        tokenizer("a")  # some faults show only when it is used
    if not len(tokenizer):
        raise source.unloadable("its tokenizer knows no token", "save the one it was trained with into the folder")
    return tokenizer


def _weights(description: Description, dtype: str, device: str) -> Any:
    source = description.source

    def remedy(error: Exception) -> str:
        message = str(error)
        if _wants_code(error):
            raise source.unloadable(CUSTOM_CODE, "take a model whose architecture transformers has")
        if isinstance(error, ImportError):
            return "install what it asks for, or take weights that need no more than PyTorch"
        if "Weights only load failed" in message:
            raise source.unloadable(
                "its weights are damaged, or hold code, which is never run here", "save them as safetensors"
            )
        if "no file named" in message or "does not appear to have a file named" in message:
            return "it has no weights; put model.safetensors beside config.json, or fetch the model again"
        if "mismatched" in message:
            return "its weights have other sizes than its config.json says; put together what was saved together"
        return "its weights are cut short or damaged; fetch or save them again"

    with explaining(source, remedy):
        _check_room(description.config, source, dtype, device)
        plain = {"quantization_config": GgufConfig(dequantize=True)} if source.file else {}
        with quiet():  # hides a table of missing weights, which are reported below
            result: Any = AutoModelForCausalLM.from_pretrained(
                source.place,
                revision=description.revision,
                config=description.config,
                dtype=getattr(torch, dtype),
                trust_remote_code=False,
                output_loading_info=True,
                **source.arguments,
                **plain,
            )
        model, report = result
        _check_report(report, source)
        if source.file:
            model = gguf.released(model)
        if source.adapter:
            model = adapter.merged(model, source.adapter)
        _check_vocabulary(model, description.tokenizer, source)
        return model.eval().to(device)


def _wants_code(error: Exception) -> bool:
    return "trust_remote_code" in str(error) or "custom code" in str(error)


@contextmanager
def explaining(source: Source, remedy: Callable[[Exception], str] = lambda _: RUNNABLE) -> Iterator[None]:
    """Turn every exception of the libraries that load and run models into a user error of one line with a remedy.

    Raises:
        UserError: in place of any exception but those of a lack of memory.
    """
    try:
        yield
        return
    except (UserError, MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:  # transformers, tokenizers, huggingface_hub and safetensors raise their own exceptions
        failure, reason = error, sentences(error)
        if not isinstance(error, OSError | ValueError | ImportError) and str(error):  # "'rope_theta'" says too little
            reason = f"{type(error).__name__}: {reason}"
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what tokenizers and safetensors, in Rust, raise
            raise
        failure, reason = RuntimeError(str(error)), sentences(error)
    if source.file:
        raise gguf.unreadable(source.path, reason)
    told = None if source.local else hub.failure(failure, source.place)
    if told:
        raise source.unloadable(told.reason, " ".join((near_packaged(source.path), told.remedy)).strip())
    raise source.unloadable(reason, remedy(failure))


def _check_report(report: Mapping[str, Any], source: Source) -> None:
    """Refuse a model with missing weights, which would be random numbers; print a note on unexpected weights."""
    if missing := sorted(report["missing_keys"]):
        raise source.unloadable(
            f"{len(missing):,} of its weights are missing, {missing[0]} the first",
            "fetch or save it again, whole, with the config.json it was saved with",
        )
    if spare := sorted(report["unexpected_keys"]):
        print(
            f"NOTE: {source.path}: {len(spare):,} of its weights have no place in this architecture and are left out, "
            f"{spare[0]} the first",
            file=sys.stderr,
        )


def _check_vocabulary(model: Any, tokenizer: Any, source: Source) -> None:
    rows = model.get_input_embeddings().weight.shape[0]
    if tokenizer.vocab_size > rows:
        raise source.unloadable(
            f"its tokenizer knows {tokenizer.vocab_size:,} tokens, its weights {rows:,}",
            "save the tokenizer it was trained with into the folder",
        )


@torch.inference_mode()
def _check_causal(model: Any, source: Source) -> None:
    """Refuse models that attend to later tokens: BERT and similar models load as causal models, but are none."""
    vocabulary = model.get_input_embeddings().weight.shape[0]
    ids = torch.arange(_CAUSAL_TRIAL, device=model.device)[None] % vocabulary
    other = ids.clone()
    other[0, -1] = (other[0, -1] + vocabulary // 2) % vocabulary
    before, changed = (model(input_ids=sequence, use_cache=False).logits[0, :-1].float() for sequence in (ids, other))
    if bool(torch.isfinite(before).all()) and float((before - changed).abs().max()) > 0.05 * float(before.std()):
        raise source.unloadable(
            "later tokens change the prediction at a token", "take one that writes text from left to right"
        )


def _window(config: Any, tokenizer: Any) -> int:
    """Return the context window in tokens, found as in lm-evaluation-harness 0.4.13 (`resolve_max_length`)."""
    text = config.get_text_config()
    sizes = (getattr(text, name, None) for name in ("n_positions", "max_position_embeddings", "n_ctx"))
    window = next((int(size) for size in sizes if size), 0) or int(tokenizer.model_max_length or 0)
    return window if 0 < window < _UNLIMITED else UNKNOWN_WINDOW


def _ends(source: Source, revision: str | None, config: Any, tokenizer: Any) -> tuple[int, ...]:
    generation: Any = None
    if not source.file:  # a generation config next to a GGUF file may be another model's
        with suppress(OSError, ValueError):  # the file is optional
            generation = GenerationConfig.from_pretrained(
                source.place, revision=revision or "main", trust_remote_code=False
            )
    eos_ids = (getattr(generation, "eos_token_id", None), config.get_text_config().eos_token_id, tokenizer.eos_token_id)
    ends = [end for ids in eos_ids for end in (ids if isinstance(ids, list) else [ids])]
    return tuple(dict.fromkeys(end for end in ends if isinstance(end, int)))


def _names(source: Source, revision: str | None) -> tuple[str, ...]:
    """Return the model's names in config.json, which `AutoConfig` would overwrite, and that of an adapter's base."""
    values = PretrainedConfig.get_config_dict(source.place, revision=revision)[0]
    base = [source.adapter.base] if source.adapter else []
    return (*base, *(str(values[key]) for key in ("_name_or_path", "name_or_path") if values.get(key)))


def _check_room(config: Any, source: Source, dtype: str, device: str) -> None:
    """Compare the size of the parameters, counted without allocating them, with the free memory.

    Raises:
        UserError: they do not fit.
    """
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    size = sum(parameter.numel() for parameter in model.parameters()) * getattr(torch, dtype).itemsize
    free = torch.cuda.mem_get_info()[0] if device == "cuda" else psutil.virtual_memory().available
    if size > free:
        raise UserError(f"{_too_large(source, dtype, device)} (needs {size / 2**30:.1f} GiB, {free / 2**30:.1f} free)")


def _too_large(source: Source, dtype: str, device: str) -> str:
    smaller = "set dtype: bfloat16, or " if dtype == "float32" else ""
    place = f"the model '{source.path}' does not fit into the memory of {device}"
    return f"{place}; {smaller}take a smaller model or another machine"
