"""Chat templates: the prompt format that an instruction-tuned model expects.

Example: with ChatML, the library and "Question: …\\nAnswer:" become
"<|im_start|>user\\n[METHOD LIBRARY] … Question: …\\nAnswer:<|im_end|>\\n<|im_start|>assistant\\n",
and an option is scored as the assistant's turn, "barometer".

The text equals that of lm-evaluation-harness 0.4.13 with `--apply_chat_template` (and `--system_instruction`): one
user turn, the generation prompt after it, and no delimiter between that and an option. Three cases that the harness
lets pass are handled here. A template that does not accept the given `system` message is refused, and so is one that
opens a thought although the model is not to think. A template that prints today's date gets a fixed one. Templates
receive whether the model is to think (`enable_thinking`, which Qwen3's and most others read, and `thinking`, which
DeepSeek-V3.1's and Granite's read); the harness does not pass this on.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from pfe.config import Model
from pfe.errors import UserError, sentences
from pfe.thoughts import opened_thought

# The date for templates that ask for today's, so that runs are reproducible; Llama 3.1's own default.
TODAY = date(2024, 7, 26)
DELIMITER = " "  # between a prompt and an option, in plain text
_TUNED = re.compile(
    r"instruct|chat|assistant|thinking|hermes|zephyr|vicuna|alpaca|tulu|rlhf"
    r"|(?<![a-z0-9])(?:it|sft|dpo|ppo|kto|orpo|grpo|rlvr|aligned|reasoning|r1)(?![a-z0-9])",
    re.IGNORECASE,
)
_BASE = re.compile(r"(?<![a-z0-9])(?:base|pt|pretrain(?:ed)?|foundation)(?![a-z0-9])", re.IGNORECASE)
_PLACE = re.compile(r"snapshots|[0-9a-f]{40}|checkpoint-\d+|hf|final|best|main|model|\.+", re.IGNORECASE)
_TIMES = re.compile(r"""strftime_now\(\s*(["'])(.*?)\1""")
# A macro in the template takes precedence over the function of the same name; "+" keeps the line break after it.
_FIXED = "{% macro strftime_now(format) %}{{ fixed_times[format] }}{% endmacro +%}"
_PROBES = ("Which tool measures air pressure?", "[METHOD LIBRARY]\n\nMETHOD 1: add.\n\n[PROBLEM]\nHow many are 12?")


@dataclass(frozen=True)
class ChatTemplate:
    """A tokenizer's chat template around one user turn.

    `before` and `after` are the text that it adds before and after the user's; `where` is the configuration entry that
    messages name. `thinking` says whether the model is to think before it answers.
    """

    tokenizer: Any
    system: str | None
    where: str
    before: str
    after: str
    thinking: bool = False

    def around(self, text: str) -> str:
        """Return the text as a user turn, up to the beginning of the assistant's turn.

        Raises:
            UserError: the template changes or moves this text, although it did not do so with the trial texts.
        """
        rendered = _render(self.tokenizer, self.system, text, self.where, self.thinking)
        inside = rendered[len(self.before) : len(rendered) - len(self.after)]
        if rendered != self.before + inside + self.after or inside.strip() != text.strip() or inside not in text:
            raise _changes(self.where, text)
        return rendered

    @property
    def opening(self) -> str:
        """The mark that opens a thought at the end of the prompt, "" if the template opens none."""
        return opened_thought(self.after)

    @property
    def identity(self) -> str:
        """A hash of all that affects answers: the template, the system message, and the text around a user turn."""
        parts = (self.tokenizer.get_chat_template(), self.system, self.before, self.after)
        return f"chat template {sha256(repr(parts).encode()).hexdigest()}"


@dataclass(frozen=True)
class Choice:
    """The decision whether a model is prompted through its chat template (None if not), and the reason `why`."""

    template: ChatTemplate | None
    why: str

    @property
    def line(self) -> str:
        if self.template is None:
            return f"asked as plain text ({self.why})"
        dated = f", dated {TODAY}" if "strftime_now" in self.template.tokenizer.get_chat_template() else ""
        thinking = ", thinking first" if self.template.thinking else ""
        return f"asked through its chat template ({self.why}{dated}{thinking})"


def choose(name: str, model: Model, tokenizer: Any, ends: Iterable[int], names: Iterable[str] = ()) -> Choice:
    """Decide whether and how `models.<name>` is prompted through its chat template.

    Args:
        ends: the token ids after which the model stops generating.
        names: the model's names in its files, in addition to its path.

    Raises:
        UserError: a required template is missing, a `system` message or `thinking` is set without a template, or the
            template fails.
    """
    where = f"models.{name}"
    labels = (name, model.label, *map(_model_name, (model.path, *names)))
    applied, why = _wish(where, model, tokenizer, tuple(ends), labels)
    if not applied:
        if model.system is not None:
            raise UserError(
                f"{where}: system is given, but the model is asked as plain text ({why}), which has no place for it; "
                "remove system, or set chat_template: true"
            )
        if model.thinking:
            raise UserError(
                f"{where}: thinking is true, but the model is asked as plain text ({why}), and goes on with that; "
                "set thinking: false (--thinking off), or chat_template: true (--chat-template on)"
            )
        return Choice(None, why)
    return Choice(_template(tokenizer, model, where), why)


def thought_tokens(model: Model) -> int:
    """Return the token budget of a thought before an answer, 0 if the model is not to think."""
    return model.max_thinking_tokens if model.thinking else 0


def _wish(where: str, model: Model, tokenizer: Any, ends: Sequence[int], names: Sequence[str]) -> tuple[bool, str]:
    """Return whether the template is applied, and why.

    Raises:
        UserError: the configuration requires a template, and the tokenizer has none.
    """
    if model.chat_template is False:
        return False, "chat_template: false"
    if not tokenizer.chat_template:
        if model.chat_template is True:
            raise UserError(
                f"{where}: chat_template: true, but its tokenizer has no chat template; add one to the model's folder "
                "(chat_template.jinja), or set chat_template: auto"
            )
        return False, "its tokenizer has no chat template"
    if model.chat_template is True:
        return True, "chat_template: true"
    if marks := [match[0] for name in names if (match := _TUNED.search(name))]:
        return True, f"auto: its name says '{marks[0]}'"
    if marks := [match[0] for name in names if (match := _BASE.search(name))]:
        return False, f"auto: its name says '{marks[0]}'; chat_template: true applies the template it has"
    if end := _turn_end(tokenizer, ends):
        return True, f"auto: its configuration ends turns with {end}"
    return False, "auto: neither name nor configuration says it is tuned; chat_template: true applies the template"


def _model_name(path: str | None) -> str:
    """Return the last part of a path that names the model, not a checkpoint or a folder of the download cache."""
    parts = [part for part in re.split(r"[/\\]+", path or "") if part and not _PLACE.fullmatch(part)]
    return parts[-1] if parts else ""


def _turn_end(tokenizer: Any, ends: Sequence[int]) -> str:
    """Return the token that ends user turns if the model also stops at it, "" if there is none.

    A base model may come with the template of its instruction-tuned version, but stops only at the end of a text.
    """
    try:
        text = _PROBES[0]
        behind = tokenizer.apply_chat_template([{"role": "user", "content": text}], tokenize=False).partition(text)[2]
    except Exception:  # whatever a template's code raises; it is reported when the template is applied
        return ""
    marks = (str(tokenizer.convert_ids_to_tokens(end)) for end in ends)
    return next((mark for mark in marks if mark and behind.startswith(mark)), "")


def _template(tokenizer: Any, model: Model, where: str) -> ChatTemplate:
    """Return the template after a trial on two texts.

    Raises:
        UserError: it fails, changes or repeats a text, drops the system message, or opens a thought although the model
            is not to think.
    """
    shapes, system = set(), model.system
    for text in _PROBES:
        before, occurrence, after = _render(tokenizer, system, text, where, model.thinking).partition(text)
        if not occurrence or text in after:
            raise _changes(where, text)
        shapes.add((before, after))
    if len(shapes) > 1:
        raise _changes(where, _PROBES[0])
    before, after = shapes.pop()
    if system is not None and system.strip() not in before:
        raise UserError(
            f"{where}: its chat template leaves the system message out or puts it after the question; "
            "remove system, or mend the template"
        )
    template = ChatTemplate(tokenizer, system, where, before, after, model.thinking)
    if template.opening and not model.thinking:
        raise UserError(
            f"{where}: its chat template opens a thought ({template.opening.strip()!r}) whatever enable_thinking says, "
            "and an answer would be part of it; set thinking: true (--thinking on), so that it thinks and then writes "
            "its answers, or chat_template: false (--chat-template off)"
        )
    return template


def _render(tokenizer: Any, system: str | None, text: str, where: str, thinking: bool) -> str:
    """Render a system message, if any, and one user turn with the template.

    Raises:
        UserError: the template fails.
    """
    first = [] if system is None else [{"role": "system", "content": system}]
    try:
        return _apply(tokenizer, [*first, {"role": "user", "content": text}], thinking)
    except Exception as error:  # whatever a template's code raises
        reason = sentences(error)
    if first:
        raise UserError(
            f"{where}: its chat template fails with a system message ({reason}); many have no place for one: "
            "remove system, or write it into the prompt"
        )
    raise UserError(
        f"{where}: its chat template fails ({reason}); mend it in the model's folder, or set chat_template: false"
    )


def _apply(tokenizer: Any, messages: list[dict[str, str]], thinking: bool) -> str:
    template = tokenizer.get_chat_template()
    more: dict[str, Any] = {"enable_thinking": thinking, "thinking": thinking}
    if "strftime_now" in template:
        times = {form: TODAY.strftime(form) for _, form in _TIMES.findall(template)}
        more |= {"chat_template": _FIXED + template, "fixed_times": times}
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **more))


def _changes(where: str, text: str) -> UserError:
    return UserError(
        f"{where}: its chat template changes, repeats, moves or leaves out the user's text ({text[:40]!r}…), so that "
        "the question cannot be found in the prompt; mend it in the model's folder, or set chat_template: false"
    )
