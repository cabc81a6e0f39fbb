"""Write the reference of the commands into docs/cli.md when the site is built.

Example: the command `judge` becomes the heading "pfe judge", its help text, its usage line, and a table of its
arguments and options. The text replaces the line `<!-- commands -->` of the page.
"""

from html import escape
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand, TyperGroup

from pfe.__main__ import program

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

PLACE = "<!-- commands -->"


def on_page_markdown(markdown: str, page: "Page", **_: object) -> str:
    """Return the Markdown of a page, with the reference in its place on docs/cli.md."""
    return markdown.replace(PLACE, reference()) if page.file.src_uri == "cli.md" else markdown


def reference() -> str:
    """Return the sections of all commands as Markdown, in the order of `pfe --help`."""
    group = typer.main.get_command(program())
    assert isinstance(group, TyperGroup)
    context = typer.Context(group, info_name="pfe")
    commands = [group.commands[name] for name in group.list_commands(context)]
    return "\n\n".join(section(one, context) for one in commands if isinstance(one, TyperCommand))


def section(command: TyperCommand, parent: typer.Context) -> str:
    """Return the section of one command: heading, help text, usage, table of arguments and options."""
    context = typer.Context(command, info_name=command.name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## {context.command_path}", (command.help or "").replace("\b\n", ""), f"```text\n{usage}\n```"]
    records = [record for one in command.get_params(context) if (record := one.get_help_record(context))]
    lines = [f"| `{names}` | {_cell(text)} |" for names, text in records if names != "--help"]
    if lines:
        parts.append("\n".join(["| argument or option | meaning |", "| --- | --- |", *lines]))
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    """Return a help text as a cell of a table.

    Example: "one of a|b" becomes "one of a\\|b".
    """
    return escape(" ".join(text.split()), quote=False).replace("|", "\\|")
