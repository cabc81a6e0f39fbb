"""Chat templates: how a tuned model expects to be spoken to.

Example: through ChatML, the library and "Question: …\\nAnswer:" become
"<|im_start|>user\\n[METHOD LIBRARY] … Question: …\\nAnswer:<|im_end|>\\n<|im_start|>assistant\\n",
and an option is scored as the assistant's turn, "barometer".

The text is that of lm-evaluation-harness 0.4.13 with `--apply_chat_template` (and `--system_instruction`): one turn
of the user, the generation prompt behind it, and no delimiter between that and an option. Three things are refused or
fixed here that it lets pass: a template that will not have a `system` message, one that writes today's date, and one
that opens a thought though the model is not to think. Templates are told whether it is to (`enable_thinking`, which
Qwen3's and most others read, and `thinking`, which DeepSeek-V3.1's and Granite's do); the harness leaves that out.
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

# What a template that asks for today's date is given, so that a run can be repeated; Llama 3.1's own default.
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
# A template's own macro goes before the function of this name that it is given; "+" keeps what stands behind it.
_FIXED = "{% macro strftime_now(format) %}{{ fixed_times[format] }}{% endmacro +%}"
_PROBES = ("Which tool measures air pressure?", "[METHOD LIBRARY]\n\nMETHOD 1: add.\n\n[PROBLEM]\nHow many are 12?")


@dataclass(frozen=True)
class ChatTemplate:
    """A tokenizer's template around one turn of the user.

    `before` and `after` are what it puts around a text; `where` is the configuration entry that messages name.
    `thinking` says whether the model is to think before it answers.
    """

    tokenizer: Any
    system: str | None
    where: str
    before: str
    after: str
    thinking: bool = False

    def around(self, text: str) -> str:
        """The text in the user's turn, up to where the assistant's begins.

        Raises:
            UserError: the template does with this text what it did not with others: changes or moves it.
        """
        rendered = _render(self.tokenizer, self.system, text, self.where, self.thinking)
        inside = rendered[len(self.before) : len(rendered) - len(self.after)]
        if rendered != self.before + inside + self.after or inside.strip() != text.strip() or inside not in text:
            raise _changes(self.where, text)
        return rendered

    @property
    def opening(self) -> str:
        """The thought that it opens for the model, "" where it opens none."""
        return opened_thought(self.after)

    @property
    def identity(self) -> str:
        """What of it decides answers: the template's text, the system message, and what comes of both."""
        parts = (self.tokenizer.get_chat_template(), self.system, self.before, self.after)
        return f"chat template {sha256(repr(parts).encode()).hexdigest()}"


@dataclass(frozen=True)
class Choice:
    """Whether a model is asked through its chat template (`template` is None where not), and `why`."""

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
    """Whether and how `models.<name>` is asked through its chat template.

    Args:
        ends: the token ids after which the model stops writing.
        names: what its files call it, beside its path.

    Raises:
        UserError: there is no template where one is wanted, a `system` message or `thinking` without one, or the
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
    """The tokens that a model may think for before an answer, 0 where it is not to think."""
    return model.max_thinking_tokens if model.thinking else 0


def _wish(where: str, model: Model, tokenizer: Any, ends: Sequence[int], names: Sequence[str]) -> tuple[bool, str]:
    """Whether the template is applied, and why."""
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
    """The last part of a path that says what the model is, not where its training or its download put it."""
    parts = [part for part in re.split(r"[/\\]+", path or "") if part and not _PLACE.fullmatch(part)]
    return parts[-1] if parts else ""


def _turn_end(tokenizer: Any, ends: Sequence[int]) -> str:
    """The token that ends turns, the user's too, where the model was taught to stop at it; "" where there is none.

    A base model may carry the template of its tuned sister, but stops at the end of a text only.
    """
    try:
        text = _PROBES[0]
        behind = tokenizer.apply_chat_template([{"role": "user", "content": text}], tokenize=False).partition(text)[2]
    except Exception:  # whatever a template's code raises; it is told where the template is applied
        return ""
    marks = (str(tokenizer.convert_ids_to_tokens(end)) for end in ends)
    return next((mark for mark in marks if mark and behind.startswith(mark)), "")


def _template(tokenizer: Any, model: Model, where: str) -> ChatTemplate:
    """The template, tried on two texts.

    Raises:
        UserError: it fails, does more to a text than to stand around it, or opens a thought that is not wanted.
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
            f"{where}: its chat template leaves the system message out or puts it behind the question; "
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
    """What the template makes of a system message, if any, and one turn of the user."""
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
        "what is asked could not be told; mend it in the model's folder, or set chat_template: false"
    )
