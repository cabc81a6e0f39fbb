"""The program `pfe`.

Example: `pfe params --check` runs `main` of `pfe/commands/params.py`; so does `python -m pfe params --check` in a
checkout that is not installed.

Every module of `pfe/commands/` is a command of its name, found by being there: its docstring is the help, its
function `main` takes the arguments. The status is 0; 1 where `main` returns False, as it does where a check failed or
something was found; 2 where the person made a mistake; 130 where they stopped it, 143 where SIGTERM did.
"""

import functools
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
from pfe.stage import reporting_mistakes

FAILURE, MISTAKE = 1, 2


def program() -> typer.Typer:
    """The whole program, with the commands that lie in `pfe/commands/`."""
    about = f"{pfe.__doc__}\n\n`pfe COMMAND --help` shows examples."
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, help=about)
    for module in pkgutil.iter_modules(commands.__path__):
        command = import_module(f"{commands.__name__}.{module.name}")
        about = (command.__doc__ or "").strip()
        _complete(command.main)
        app.command(module.name, help=as_written(about), short_help=about.split("\n")[0])(_ending(command.main))
    return app


def main(*arguments: str) -> None:
    """Run what stands behind `pfe` on the command line, or `arguments`; ends the process."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # no terminal's encoding ends a report in the middle
    with reporting_mistakes(MISTAKE):
        words = list(arguments) or sys.argv[1:]
        _check_filled(words)
        try:
            status = program()(words or ["--help"], prog_name="pfe", standalone_mode=False)
        except typer.TyperException as error:
            raise UserError(f"{error.format_message().rstrip('.')}; {_help(error)} shows what there is") from None
    sys.exit(status)


def as_written(text: str) -> str:
    """A help text whose lines are not filled anew: \\b marks such a paragraph."""
    return "\n\n".join(f"\b\n{paragraph}" for paragraph in text.split("\n\n"))


def _complete(main: Callable[..., bool | None]) -> None:
    """Have a shell complete the values of a command's parameters."""
    for name, parameter in inspect.signature(main).parameters.items():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            info.autocompletion = info.autocompletion or completion(name)


def _check_filled(words: Sequence[str]) -> None:
    """Refuse an empty value, as of a variable of the shell that is not set: as a path it would be this folder."""
    for before, word in pairwise(["pfe", *words]):
        name, sign, value = word.partition("=") if word.startswith("--") else (before, "=", word)
        if sign and not value.strip():
            raise UserError(f"an empty value behind '{name}'; give one, or leave it out")


def _ending(main: Callable[..., bool | None]) -> Callable[..., int]:
    """A command that returns its status; what goes wrong in it is told as everywhere else."""

    @functools.wraps(main)
    def command(*args: object, **options: object) -> int:
        with reporting_mistakes(MISTAKE):
            success = main(*args, **options)
        return FAILURE if success is False else 0

    return command


def _help(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"`{context.command_path if context else 'pfe'} --help`"


if __name__ == "__main__":
    main()
