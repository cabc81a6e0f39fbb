"""Loading a causal language model in Hugging Face's format, and knowing which one it is.

Example: `load("data/models/student", None, "float32", "auto")` has the weights
"sha256 5c1d…" and computes in "float32 on cpu".

Code that a model brings along is never run, whoever is asked: `trust_remote_code` is false in every call.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil
import torch
from transformers import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    PretrainedConfig,
)
from transformers import __version__ as transformers_version

from pfe.errors import UserError
from pfe.models.chat import ChatTemplate
from pfe.models.identity import weights_of
from pfe.quiet import quiet

DTYPES = ("float32", "bfloat16")
DEVICES = ("auto", "cpu", "cuda")
CUSTOM_CODE = "it brings code of its own, which is never run here"
UNKNOWN_WINDOW = 2048  # tokens, where neither configuration nor tokenizer names one
_UNLIMITED = 10**15  # tokens; a tokenizer that knows no limit says so by a greater number
_CAUSAL_TRIAL = 9  # tokens
T = TypeVar("T")


@dataclass(frozen=True)
class Description:
    """What a model's files say of it beside its weights.

    `window` is the longest sequence it takes, in tokens; `ends` are the ids after which it stops writing; `names`
    what its files call it.
    """

    config: Any
    tokenizer: Any
    window: int
    ends: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class LoadedModel:
    """A model in evaluation mode with its tokenizer; `window` is the longest sequence it takes, in tokens.

    What it is asked goes through the `chat` template, where there is one. `weights` says which they are, `revision`
    which one was asked for ("" where none was).
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
        """What is computed in, and where: "float32 on cpu"."""
        return f"{str(self.model.dtype).removeprefix('torch.')} on {self.device}"

    @property
    def identity(self) -> str:
        """All that decides its answers beside the question: weights, arithmetic, chat template."""
        return " ".join((self.weights, self.arithmetic, *([self.chat.identity] if self.chat else [])))


@contextmanager
def naming_entry(name: str) -> Iterator[None]:
    """Put the configuration entry, `models.<name>`, before what is said of its files."""
    try:
        yield
    except UserError as error:
        raise UserError(f"models.{name}: {error}") from None


def describe(path: str, revision: str | None) -> Description:
    """Read a model's configuration and tokenizer from a folder or the hub.

    Raises:
        UserError: there is none, or its files are damaged, those of another kind of model, or code.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    _check_folder(path)
    config = _config(path, revision)
    tokenizer = _tokenizer(path, revision)
    window = _window(config, tokenizer)
    tokenizer.model_max_length = sys.maxsize  # what is too long for the window is cut here, not warned of there
    return Description(config, tokenizer, window, _ends(path, revision, config, tokenizer), _names(path, revision))


def load(path: str, revision: str | None, dtype: str, device: str) -> LoadedModel:
    """Load a model from a folder or the hub.

    Args:
        device: "cpu", "cuda", or "auto" for the accelerator where there is one.

    Raises:
        UserError: it does not exist, is damaged, does not fit into memory, or its files are no model's.
    """
    return with_weights(describe(path, revision), path, revision, dtype, device)


def with_weights(
    description: Description, path: str, revision: str | None, dtype: str, device: str, chat: ChatTemplate | None = None
) -> LoadedModel:
    """Load the weights of a model whose other files were read, to be asked through `chat`.

    Raises:
        UserError: they are missing, damaged or another model's, or do not fit into memory.
    """
    where = _device(device)
    if dtype not in DTYPES:
        raise UserError(f"dtype: {dtype} is none that models are loaded in; set one of {', '.join(DTYPES)}")
    model = _weights(description, path, revision, dtype, where)
    _check_causal(model, path)
    weights = weights_of(path, description.config)
    return LoadedModel(model, description.tokenizer, where, description.window, weights, revision or "", chat)


def _check_folder(path: str) -> None:
    """What can be said of a path without reading it."""
    place = Path(path)
    if place.is_file():
        raise _unloadable(path, "it is a file", "give the folder that holds config.json, weights and tokenizer")
    if not place.is_dir():
        if place.is_absolute() or path.startswith(("./", "../", "~")) or path.count("/") > 1:
            raise _unloadable(path, "there is no such folder", "mend path, or give a name on the hub (owner/model)")
        return
    if not (place / "config.json").is_file():
        if (place / "adapter_config.json").is_file():
            remedy = "merge the adapter into its base model (peft: merge_and_unload) and save that"
            raise _unloadable(path, "it holds an adapter, not a model", remedy)
        raise _unloadable(
            path, "it has no config.json", "give the folder that holds config.json, weights and tokenizer"
        )


def _config(path: str, revision: str | None) -> Any:
    def remedy(error: Exception) -> str:
        message = str(error)
        if _wants_code(error):
            raise _unloadable(path, CUSTOM_CODE, "take a model whose architecture transformers has")
        if "does not recognize this architecture" in message or "Unrecognized model" in message:
            return f"transformers {transformers_version} has no such model_type; mend its config.json, or update it"
        if Path(path).is_dir():
            return "mend its config.json, or fetch it again"
        return "give a folder with config.json, weights and tokenizer, or a hub name your network and token reach"

    config = _read_or_explain(
        path, remedy, lambda: AutoConfig.from_pretrained(path, revision=revision, trust_remote_code=False)
    )
    for name, value in vars(config).items():
        if "_implementation" in name and "/" in str(value):
            raise _unloadable(path, f"{CUSTOM_CODE}: {value}", "remove what names it from its config.json")
    if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        kind = getattr(config, "model_type", "") or type(config).__name__
        raise _unloadable(path, f"{kind} is no causal language model", "take one that writes text from left to right")
    return config


def _tokenizer(path: str, revision: str | None) -> Any:
    def remedy(error: Exception) -> str:
        if _wants_code(error):
            raise _unloadable(path, f"its tokenizer: {CUSTOM_CODE}", "save the tokenizer as tokenizer.json")
        if Path(path).is_dir() and not any(Path(path).glob("*token*")) and not any(Path(path).glob("vocab*")):
            return "it has no tokenizer; save the one it was trained with into the folder (save_pretrained)"
        return "its tokenizer cannot be read; save the one it was trained with into the folder again (save_pretrained)"

    tokenizer: Any = _read_or_explain(
        path, remedy, lambda: AutoTokenizer.from_pretrained(path, revision=revision, trust_remote_code=False)
    )
    if not len(tokenizer):
        raise _unloadable(path, "its tokenizer knows no token", "save the one it was trained with into the folder")
    return tokenizer


def _weights(description: Description, path: str, revision: str | None, dtype: str, device: str) -> Any:
    def remedy(error: Exception) -> str:
        message = str(error)
        if _wants_code(error):
            raise _unloadable(path, CUSTOM_CODE, "take a model whose architecture transformers has")
        if isinstance(error, ImportError):
            return "install what it asks for, or take weights that need no more than PyTorch"
        if "Weights only load failed" in message:
            raise _unloadable(
                path, "its weights are damaged, or hold code, which is never run here", "save them as safetensors"
            )
        if "no file named" in message or "does not appear to have a file named" in message:
            return "it has no weights; put model.safetensors beside config.json, or fetch the model again"
        if "mismatched" in message:
            return "its weights have other sizes than its config.json says; put together what was saved together"
        return "its weights are cut short or damaged; fetch or save them again"

    def read() -> Any:
        _check_room(description.config, path, dtype, device)
        with quiet():  # a table of the weights that are missing; they are told below
            result: Any = AutoModelForCausalLM.from_pretrained(
                path, revision=revision, dtype=getattr(torch, dtype), trust_remote_code=False, output_loading_info=True
            )
        model, report = result
        _check_report(report, path)
        _check_vocabulary(model, description.tokenizer, path)
        return model.eval().to(device)

    try:
        return _read_or_explain(path, remedy, read)
    except torch.OutOfMemoryError:
        raise UserError(_too_large(path, dtype, device)) from None


def _wants_code(error: Exception) -> bool:
    return "trust_remote_code" in str(error) or "custom code" in str(error)


def _read_or_explain(path: str, remedy: Callable[[Exception], str], read: Callable[[], T]) -> T:
    """What `read` reads; what goes wrong is told in one line, with what to do about it."""
    try:
        return read()
    except (UserError, torch.OutOfMemoryError):
        raise
    except Exception as error:  # transformers, tokenizers, huggingface_hub and safetensors each raise their own kinds
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        raise _unloadable(path, reason, remedy(error)) from None


def _unloadable(path: str, reason: str, remedy: str) -> UserError:
    return UserError(f"cannot load the model '{path}' ({reason}); {remedy}")


def _check_report(report: Mapping[str, Any], path: str) -> None:
    """Weights that are not there would be random numbers; those without a place are said."""
    if missing := sorted(report["missing_keys"]):
        raise _unloadable(
            path,
            f"{len(missing):,} of its weights are missing, {missing[0]} the first",
            "fetch or save it again, whole, with the config.json it was saved with",
        )
    if spare := sorted(report["unexpected_keys"]):
        print(
            f"NOTE: {path}: {len(spare):,} of its weights have no place in this architecture and are left out, "
            f"{spare[0]} the first",
            file=sys.stderr,
        )


def _check_vocabulary(model: Any, tokenizer: Any, path: str) -> None:
    rows = model.get_input_embeddings().weight.shape[0]
    if tokenizer.vocab_size > rows:
        raise _unloadable(
            path,
            f"its tokenizer knows {tokenizer.vocab_size:,} tokens, its weights {rows:,}",
            "save the tokenizer it was trained with into the folder",
        )


@torch.inference_mode()
def _check_causal(model: Any, path: str) -> None:
    """Refuse models that look ahead: BERT and its kin load as causal models, and are none."""
    vocabulary = model.get_input_embeddings().weight.shape[0]
    ids = torch.arange(_CAUSAL_TRIAL, device=model.device)[None] % vocabulary
    other = ids.clone()
    other[0, -1] = (other[0, -1] + vocabulary // 2) % vocabulary
    before, changed = (model(input_ids=sequence, use_cache=False).logits[0, :-1].float() for sequence in (ids, other))
    if bool(torch.isfinite(before).all()) and float((before - changed).abs().max()) > 0.05 * float(before.std()):
        raise _unloadable(
            path, "what stands behind a token changes what it says", "take one that writes text from left to right"
        )


def _device(device: str) -> str:
    if device not in DEVICES:
        raise UserError(f"device: {device} is none that models are computed on; set one of {', '.join(DEVICES)}")
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("device: cuda, but PyTorch sees no such device here; set device: auto or cpu")
    return ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device


def _window(config: Any, tokenizer: Any) -> int:
    """The sources, in the order of lm-evaluation-harness 0.4.13 (`resolve_max_length`)."""
    text = config.get_text_config()
    sizes = (getattr(text, name, None) for name in ("n_positions", "max_position_embeddings", "n_ctx"))
    window = next((int(size) for size in sizes if size), 0) or int(tokenizer.model_max_length or 0)
    return window if 0 < window < _UNLIMITED else UNKNOWN_WINDOW


def _ends(path: str, revision: str | None, config: Any, tokenizer: Any) -> tuple[int, ...]:
    try:
        generation: Any = GenerationConfig.from_pretrained(path, revision=revision or "main", trust_remote_code=False)
    except (OSError, ValueError):  # there need not be one
        generation = None
    eos_ids = (getattr(generation, "eos_token_id", None), config.get_text_config().eos_token_id, tokenizer.eos_token_id)
    ends = [end for ids in eos_ids for end in (ids if isinstance(ids, list) else [ids])]
    return tuple(dict.fromkeys(end for end in ends if isinstance(end, int)))


def _names(path: str, revision: str | None) -> tuple[str, ...]:
    """What config.json calls the model; `AutoConfig` has put `path` in its place."""
    values = PretrainedConfig.get_config_dict(path, revision=revision)[0]
    return tuple(str(values[key]) for key in ("_name_or_path", "name_or_path") if values.get(key))


def _check_room(config: Any, path: str, dtype: str, device: str) -> None:
    """Count parameters without making them, and compare with the memory that is free."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    size = sum(parameter.numel() for parameter in model.parameters()) * getattr(torch, dtype).itemsize
    free = torch.cuda.mem_get_info()[0] if device == "cuda" else psutil.virtual_memory().available
    if size > free:
        raise UserError(f"{_too_large(path, dtype, device)} (needs {size / 2**30:.1f} GiB, {free / 2**30:.1f} free)")


def _too_large(path: str, dtype: str, device: str) -> str:
    smaller = "set dtype: bfloat16, or " if dtype == "float32" else ""
    return (
        f"the model '{path}' does not fit into the memory of {device}; {smaller}take a smaller model or another machine"
    )
