from pathlib import Path

import pytest
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError
from pfe.tutors.content import CONTENT, engine_and_rest, read_content, read_yaml, table
from pfe.tutors.engines.composer import Engine


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Sizes:
    small: int
    words: tuple[str, ...] = ()


def test_words_that_old_yaml_takes_for_something_else_are_words(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("on: [no, yes, off, y, 12:30, 2024-01-31, 1e3, 010]\nn: [3, -4, 2.5, true, null]\n")
    assert read_yaml(path) == {
        "on": ["no", "yes", "off", "y", "12:30", "2024-01-31", "1e3", "010"],
        "n": [3, -4, 2.5, True, None],
    }


def test_mistakes_in_content_are_told_with_file_and_key(tmp_path: Path) -> None:
    path = tmp_path / "family.yaml"
    with pytest.raises(UserError, match=r"family\.yaml: no such file"):
        read_yaml(path)
    path.write_text("engine: [\n")
    with pytest.raises(UserError, match=r"family\.yaml, line 2: not YAML"):
        read_yaml(path)
    path.write_bytes(b"engine: caf\xe9\n")
    with pytest.raises(UserError, match=r"family\.yaml: byte 11 is not UTF-8"):
        read_yaml(path)
    path.write_text("- engine\n")
    with pytest.raises(UserError, match=r"family\.yaml: name its engine in the first line"):
        engine_and_rest(path)
    path.write_text("small: x\nwrods: []\n")
    with pytest.raises(UserError, match=r"line 1: small: .*integer.*; .*line 2: wrods: unknown key; .*'words'"):
        read_content(path, Sizes, {"small": "x", "wrods": []})
    assert read_content(path, Sizes, {"small": 3, "words": ["a"]}) == Sizes(3, ("a",))


def test_a_table_that_is_not_there_is_told() -> None:
    assert table("syllables")["onsets"]
    with pytest.raises(UserError, match="unknown table 'sylables'; did you mean 'syllables'"):
        table("sylables")


def test_a_slot_that_nothing_fills_is_named(tmp_path: Path) -> None:
    path = tmp_path / "people.yaml"
    shipped = CONTENT / "gsm1k_synth" / "people_in_groups.yaml"
    path.write_text(shipped.read_text(encoding="utf-8").replace("{place}", "{plase}"))
    family = Engine("gsm1k_synth", path)
    with pytest.raises(UserError, match=r"line \d+: openings\.1\.text.*: nothing in the family is called 'plase'"):
        assert [family.make(0, index) for index in range(20)]
