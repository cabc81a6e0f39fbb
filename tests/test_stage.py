import errno

import pytest

from pfe.errors import UserError, nearest
from pfe.stage import told


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (UserError("conf: mend it"), 1, "pfe: conf: mend it"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), 1, "no space left on the disk"),
        (OSError(errno.ENOSPC, "full", "data/x"), 1, "no space left on the disk"),
    ],
)
def test_a_mistake_is_one_line_and_a_status(
    error: BaseException, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @told
    def main() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == status
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == 1


def test_a_defect_of_ours_keeps_its_traceback() -> None:
    @told
    def main() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        main()


def test_the_nearest_name_or_the_list() -> None:
    assert nearest("studnet", ["student", "base"]) == "did you mean 'student'?"
    assert nearest("zzz", ["student", "base"]) == "allowed: base, student"
