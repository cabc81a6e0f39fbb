from pathlib import Path

import pytest

from pfe.files import replacing, replacing_folder, write_json


def test_an_error_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as temporary, temporary.open("w") as file:
        file.write(b"half")  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_folder_and_nothing_beside(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "whole").touch()
    with pytest.raises(FileNotFoundError), replacing_folder(folder) as temporary:
        (temporary / "no such folder" / "half").touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "whole"]


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    for name in ("first", "second"):
        with replacing_folder(folder) as temporary:
            (temporary / name).touch()
    assert [path.name for path in folder.iterdir()] == ["second"]


def test_equal_values_are_equal_bytes(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": 2})
    write_json(tmp_path / "b.json", {"a": 2, "b": 1})
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_number_that_is_none_is_no_json(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", {"x": float("nan")})
    assert not list(tmp_path.iterdir())
