"""PEFT adapters: small sets of weights that are merged into a base model when it is loaded.

Example: if out/checkpoint-500/adapter_config.json says `"base_model_name_or_path": "../base"`,
`read("out/checkpoint-500")` returns Adapter("out/checkpoint-500", "out/checkpoint-500/../base", None).

Source: peft, https://huggingface.co/docs/peft/developer_guides/checkpoint
"""

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pfe.errors import UserError, sentences
from pfe.extras import need

CONFIG = "adapter_config.json"


@dataclass(frozen=True)
class Adapter:
    """An adapter's folder and its base model: a folder, a GGUF file or a name on the hub, at a `revision` if any."""

    folder: str
    base: str
    revision: str | None

    @property
    def has_tokenizer(self) -> bool:
        """Whether a tokenizer was saved with the adapter (tokenizer.json and tokenizer_config.json)."""
        return all((Path(self.folder) / name).is_file() for name in ("tokenizer.json", "tokenizer_config.json"))


def read(folder: str) -> Adapter:
    """Read an adapter's configuration (adapter_config.json).

    Raises:
        UserError: peft is not installed, the configuration is damaged, adapters of this type cannot be merged into
            weights, or the base model's folder does not exist.
    """
    need(f"the adapter '{folder}'", "peft")
    try:
        values = json.loads((Path(folder) / CONFIG).read_bytes())
        kind, base, revision = (values.get(key) for key in ("peft_type", "base_model_name_or_path", "revision"))
    except (ValueError, AttributeError, RecursionError):  # not JSON, or not a mapping
        raise _unmergeable(folder, f"{CONFIG} is no JSON mapping", "fetch or save it again (save_pretrained)") from None
    _check_kind(folder, kind)
    if not base or not isinstance(base, str):
        raise _unmergeable(folder, f"{CONFIG} names no base model", "set base_model_name_or_path in it")
    return Adapter(folder, _base(folder, base), str(revision) if revision else None)


def merged(model: Any, adapter: Adapter) -> Any:
    """Return the base model with the adapter merged into its weights.

    Raises:
        UserError: the adapter is damaged, or was trained on a model of another architecture.
    """
    from peft import PeftModel, load_peft_weights, set_peft_model_state_dict

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            adapted = PeftModel.from_pretrained(model, adapter.folder, trust_remote_code=False)
            # from_pretrained does not report weights that have no place in the model; this call does.
            report: Any = set_peft_model_state_dict(adapted, load_peft_weights(adapter.folder, "cpu"))
        except Exception as error:  # peft, safetensors and torch each raise their own exception types
            raise _mismatch(adapter, sentences(error)) from None
    if missing := next((text for warning in said if "missing adapter keys" in (text := str(warning.message))), None):
        raise _mismatch(adapter, sentences(missing))
    if spare := sorted(report.unexpected_keys):
        raise _mismatch(adapter, f"{len(spare):,} of its weights have no place there, {spare[0]} the first")
    try:
        return adapted.merge_and_unload(safe_merge=True)
    except Exception as error:  # as above
        raise _unmergeable(adapter.folder, sentences(error), "train it again, or fetch it again") from None


def _check_kind(folder: str, kind: object) -> None:
    from peft import PEFT_TYPE_TO_TUNER_MAPPING

    tuners = {name.value: tuner for name, tuner in PEFT_TYPE_TO_TUNER_MAPPING.items()}
    if not isinstance(kind, str) or kind not in tuners:
        raise _unmergeable(folder, f"peft knows no adapters of the kind {kind}", f"mend peft_type in {CONFIG}")
    if not hasattr(tuners[kind], "merge_and_unload"):
        raise _unmergeable(
            folder, f"adapters of the kind {kind} cannot be merged into weights", "take one that changes them, as LoRA"
        )


def _base(folder: str, name: str) -> str:
    """Return the base model's path, resolved from the adapter's folder, or its name on the hub if it is no path.

    Raises:
        UserError: the name is a path that does not exist.
    """
    beside = Path(folder) / name
    if beside.exists():
        return str(beside)
    if Path(name).is_absolute() or name.startswith((".", "~")) or name.count("/") > 1:
        raise _unmergeable(
            folder,
            f"its base model '{name}' is not there",
            f"put it there, or mend base_model_name_or_path in {CONFIG}",
        )
    return name


def _mismatch(adapter: Adapter, reason: str) -> UserError:
    return _unmergeable(
        adapter.folder,
        f"it does not fit its base model '{adapter.base}': {reason}",
        f"name the model that it was trained on in {CONFIG}, or fetch the adapter again",
    )


def _unmergeable(folder: str, reason: str, remedy: str) -> UserError:
    return UserError(f"cannot load the adapter '{folder}' ({reason}); {remedy}")
