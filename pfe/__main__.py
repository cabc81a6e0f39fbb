"""The command-line program `pfe`.

Example: `pfe params --check` runs `main` of `pfe/commands/params.py`; so does `python -m pfe params --check` in a
checkout that is not installed.

Every module in `pfe/commands/` is a command of the same name: its docstring is the help text, and its function `main`
takes the arguments. `pfe.stage` lists the exit statuses.
"""

import inspect
import pkgutil
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise

import typer

import pfe
from pfe import commands
from pfe.completion import completion
from pfe.errors import UserError
from pfe.stage import INTERRUPTED, check_utf8, reporting_mistakes, reports_mistakes


def program() -> typer.Typer:
    """Build the whole program from the commands in `pfe/commands/`."""
    about = f"{pfe.__doc__}\n\n`pfe COMMAND --help` shows examples."
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, help=about)
    for module in pkgutil.iter_modules(commands.__path__):
        command = import_module(f"{commands.__name__}.{module.name}")
        about = (command.__doc__ or "").strip()
        _complete(command.main)
        register = app.command(module.name, help=as_written(about), short_help=about.split("\n")[0])
        register(reports_mistakes(command.main))
    return app


def main(*arguments: str) -> None:
    """Run the command given by `arguments`, or else by the command line; then end the process."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a character that cannot be encoded must not end a report
    with reporting_mistakes():
        words = list(arguments) or sys.argv[1:]
        check_utf8(words)
        _check_filled(words)
        try:
            status = program()(words or ["--help"], prog_name="pfe", standalone_mode=False)
        except typer.TyperException as error:
            raise UserError(f"{error.format_message().rstrip('.')}; {_help(error)} shows what there is") from None
        if status:  # no command returns one: typer was interrupted, or a library asked it to exit
            raise KeyboardInterrupt if status == INTERRUPTED else SystemExit(status)
    sys.exit(0)


def as_written(text: str) -> str:
    """Return a help text whose paragraphs are not rewrapped; \\b marks each of them."""
    return "\n\n".join(f"\b\n{paragraph}" for paragraph in text.split("\n\n"))


def _complete(main: Callable[..., bool | None]) -> None:
    """Add shell completion to the command's parameters that have none."""
    for name, parameter in inspect.signature(main).parameters.items():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            info.autocompletion = info.autocompletion or completion(name)


def _check_filled(words: Sequence[str]) -> None:
    """Raise UserError for an empty value, as from an unset shell variable: as a path it would mean this folder."""
    for before, word in pairwise(["pfe", *words]):
        name, sign, value = word.partition("=") if word.startswith("--") else (before, "=", word)
        if sign and not value.strip():
            raise UserError(f"an empty value behind '{name}'; give one, or leave it out")


def _help(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"`{context.command_path if context else 'pfe'} --help`"


if __name__ == "__main__":
    main()
