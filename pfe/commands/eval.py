"""Evaluate a model zero-shot and with method libraries in context: accuracy, lift, confidence intervals.

    pfe eval smollm2 --limit 20                              # SmolLM2-135M-Instruct, from a package; no network
    pfe eval path/to/folder                                  # Hugging Face weights or an adapter, on our own sample
    pfe eval path/to/model.gguf                              # a file in llama.cpp's format
    pfe eval owner/model --benchmark arc_easy,gsm1k --limit 50
    pfe eval owner/model --canonical hub --benchmark race    # the published benchmark, from the Hugging Face hub
    pfe eval path/to/folder --canonical FOLDER --arms canonical,icr,placebo,format,shuffled,wrong
    pfe eval llama3 --base-url http://localhost:8000/v1      # a server that speaks the OpenAI protocol
    pfe eval all-MiniLM-L6-v2 --limit 20                     # a sentence-embedding baseline, included in PFE
    pfe eval conf/model/mine.yaml --chat-template off        # a model's file, with one setting changed

Answers and scores are written to a new folder (--out), which `pfe compare` reads. If it is interrupted, the same
command resumes. The default problems are our own sample, which shows that everything works; to measure a model on the
published benchmarks, use --canonical.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from pfe.arms import USUAL

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

KINDS, DTYPES = ("auto", "huggingface", "vllm", "embedding", "chance"), ("auto", "float32", "bfloat16")
SWITCH = {"auto": "auto", "on": True, "off": False}
ARMS = ",".join(USUAL)
# The settings that -S names and an option says.
SETTINGS = {
    "--benchmark": ("benchmark",),
    "--limit": ("evaluate.limit",),
    "--arms": ("evaluate.arms",),
    "--seed": ("seed",),
    "--canonical": ("canonical", "canonical.path", "canonical.source"),
}


def main(
    model: Annotated[str, typer.Argument(help="a path, a name on the hub, a server's name for it, or its file")],
    benchmark: Annotated[str | None, typer.Option(help="comma-separated benchmark names (default: all)")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="problems per benchmark (default: all)")] = None,
    arms: Annotated[str, typer.Option(help="comma-separated arms (docs/arms.md)")] = ARMS,
    seed: Annotated[
        int | None, typer.Option(min=0, help="random seed of samples, orders, resampling (default: 0)")
    ] = None,
    canonical: Annotated[str | None, typer.Option(help="sample (default), hub, or a folder of benchmarks")] = None,
    out: Annotated[Path | None, typer.Option(help="a new folder for the results (default: pfe-eval-NAME)")] = None,
    base_url: Annotated[str | None, typer.Option(help="URL of the server that serves the model")] = None,
    key_variable: Annotated[str | None, typer.Option(help="environment variable with its key")] = None,
    kind: Annotated[str | None, typer.Option(help=f"what opens it: {', '.join(KINDS)}")] = None,
    revision: Annotated[str | None, typer.Option(help="revision of a model on the hub")] = None,
    dtype: Annotated[str | None, typer.Option(help="auto (default: the faster one here), float32, bfloat16")] = None,
    chat_template: Annotated[str | None, typer.Option(help="auto (default: on if the model is tuned), on, off")] = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT|@FILE", help="the system message")] = None,
    thinking: Annotated[str | None, typer.Option(help="on: think before each answer; off (default)")] = None,
    max_thinking_tokens: Annotated[int | None, typer.Option(min=1, help="tokens of a thought (default: 4096)")] = None,
    changes: Annotated[list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="any other setting")] = None,
) -> None:
    """Evaluate and score the model, write the results and print the table."""
    from pfe.api import evaluate
    from pfe.config import Arm
    from pfe.examination import benchmark_names, name_of
    from pfe.files import new_folder
    from pfe.terminal import plain

    given = {"--benchmark": benchmark, "--limit": limit, "--seed": seed, "--canonical": canonical,
             "--arms": None if arms == ARMS else arms}  # fmt: skip
    check_changes([option for option, value in given.items() if value is not None], changes or ())
    folder = out or Path(f"pfe-eval-{name_of(model)}")
    with new_folder(folder, "--out") as place:
        result = evaluate(
            model,
            listed("--benchmark", benchmark, benchmark_names()) if benchmark else (),
            cast("Sequence[Arm]", listed("--arms", arms, get_args(Arm))),
            limit,
            canonical=canonical or "sample",
            seed=seed or 0,
            overrides=changes or (),
            base_url=base_url,
            key_variable=key_variable,
            kind=_allowed("--kind", kind, KINDS),
            revision=revision,
            dtype=_allowed("--dtype", dtype, DTYPES),
            chat_template=SWITCH.get(_allowed("--chat-template", chat_template, SWITCH) or ""),
            system=_text(system),
            thinking=SWITCH.get(_allowed("--thinking", thinking, ("on", "off")) or ""),
            max_thinking_tokens=max_thinking_tokens,
        )
        result.write(place)
    print(plain(str(result)))
    print(plain(f"\n{folder} holds the answers and the scores."))


def _allowed(option: str, value: str | None, allowed: "Collection[str]") -> str | None:
    if value is not None:
        check_allowed(option, value, allowed)
    return value


def _text(option: str | None) -> str | None:
    """Return the text of an option, or of the file that it names after an @.

    Raises:
        UserError: the file is missing or is not text.
    """
    from pfe.errors import UserError

    if option is None or not option.startswith("@"):
        return option
    try:
        return Path(option[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "no text in UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise UserError(f"--system {option}: {reason}; give the text itself, or @ and the name of its file") from None


def listed(option: str, text: str, allowed: "Collection[str]") -> list[str]:
    """Return the comma-separated names in the value of an option.

    Raises:
        UserError: a name is empty, duplicate or not allowed.
    """
    from pfe.errors import UserError

    names = [name.strip() for name in text.split(",")]
    for place, name in enumerate(names):
        if not name:
            raise UserError(f"{option} {text}: a name is empty; give names with commas between")
        check_allowed(option, name, allowed)
        if name in names[:place]:
            raise UserError(f"{option}: '{name}' stands there twice; give it once")
    return names


def check_allowed(option: str, value: str, allowed: "Collection[str]") -> None:
    """Raise UserError if an option's value is not allowed."""
    from pfe.errors import UserError, nearest

    if value not in allowed:
        raise UserError(f"{option}: unknown value '{value}'; {nearest(value, allowed)}")


def check_changes(options: "Collection[str]", changes: "Sequence[str]") -> None:
    """Check that no -S sets what an option sets, nor the model, which PATH and options set.

    Raises:
        UserError: one is.
    """
    from pfe.errors import UserError

    for change in changes:
        key = change.lstrip("+~").partition("=")[0]
        if re.match(r"models?(\.|$)", key):
            raise UserError(f"-S {change}: the model is what PATH and the options say of it; leave this out")
        for option in options:
            if key in SETTINGS[option]:
                raise UserError(f"{option} and -S {change} say the same thing twice; give one of them")
