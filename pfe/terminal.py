"""Texts of strangers on a terminal: shown, never obeyed.

Example: `plain("a\\x1b[2Jb")` is the characters a, \\, x, 1, b, [, 2, J, b: nothing is cleared.
"""


def plain(text: str) -> str:
    """A text with every character that is neither printable nor a line's end or a tab as its escape.

    That covers escape sequences, other control characters, marks that turn the direction of writing, invisible
    characters and halves of surrogate pairs.
    """
    return "".join(
        character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1] for character in text
    )
