"""How much more memory a child process comes to need: by the peak of its own pages.

`ru_maxrss` says the same only of a process that nobody forked: what its parent had counts in it.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

STATUS = Path("/proc/self/status")
_PEAK = f"""
import re, sys
from pathlib import Path
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("{STATUS}").read_text())[1]) // 1024
"""
needs_proc = pytest.mark.skipif(not STATUS.exists(), reason="the peak of a process is asked of /proc")


def counted(code: str, path: Path) -> tuple[int, int]:
    """What `code` counts in a file, and by how many MiB the peak of its process rises.

    Args:
        code: begins with imports and, behind a line `---`, sets `count`; `sys.argv[1]` is the file.
    """
    imports, work = code.split("---\n")
    whole = f"{_PEAK}{imports}before = peak()\n{work}print(count, peak() - before)"
    done = subprocess.run([sys.executable, "-c", whole, path], cwd=ROOT, check=True, capture_output=True, text=True)
    count, mebibytes = map(int, done.stdout.split())
    return count, mebibytes
