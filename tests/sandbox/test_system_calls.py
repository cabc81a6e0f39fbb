"""The system calls of a sandboxed program: the filter on both processors, and what Python can still do."""

import errno
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

from pfe.sandbox.process import LONGEST_DETAIL, SandboxLimits
from pfe.sandbox.programs import evaluate, run_tests
from pfe.sandbox.system_calls import _TABLE, ALLOW, ENOSYS, ENOTTY, EPERM, MACHINES, allowed, packed, program

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
# Calls that use memory or numbers of the kernel which no limit of the process counts, start or inspect processes, or
# change the machine: x86-64, AArch64 (None: there is no such call).
HARMFUL = {
    "semget": (64, 190), "shmget": (29, 194), "msgget": (68, 186), "mq_open": (240, 180), "io_setup": (206, 0),
    "timer_create": (222, 107), "io_uring_setup": (425, 425), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "add_key": (248, 217), "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "memfd_create": (319, 279), "memfd_secret": (447, 447), "mlock": (149, 228),
    "rt_sigqueueinfo": (129, 138), "vmsplice": (278, 75), "tee": (276, 77), "setxattr": (188, 5), "mknod": (133, None),
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "clone3": (435, 435),
    "socket": (41, 198), "unshare": (272, 97), "setns": (308, 268), "ptrace": (101, 117), "mount": (165, 40),
    "pivot_root": (155, 41), "chroot": (161, 51), "process_vm_readv": (310, 270), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "open_by_handle_at": (304, 265), "fsopen": (430, 430), "landlock_create_ruleset":
    (444, 444), "seccomp": (317, 277), "personality": (135, 92), "set_mempolicy": (238, 237), "acct": (163, 89),
    "swapon": (167, 224), "reboot": (169, 142), "kexec_load": (246, 104), "init_module": (175, 105),
}  # fmt: skip
# clone, prctl, fcntl, ioctl, prlimit64 and socketpair, whose arguments are checked.
CHECKED = {"x86_64": (56, 157, 72, 16, 302, 53), "aarch64": (220, 167, 25, 29, 261, 199)}
CLONE_THREAD, PR_SET_PDEATHSIG, F_SETLK, F_SETPIPE_SZ, TIOCSTI = 0x10000, 1, 6, 1031, 0x5412


def verdict(machine: str, number: int, arguments: tuple[int, ...] = (), audit: int | None = None) -> int:
    """Run the filter as the kernel does; `arguments` are those of the call, as unsigned numbers of 64 bits."""
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, MACHINES[machine][0] if audit is None else audit, 0, *values)
    steps, at, loaded = [*struct.iter_unpack("HBBI", packed(program(machine)))], 0, 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        at += 1
        if operation == 0x20:
            loaded = struct.unpack_from("=I", data, operand)[0]
        elif operation == 0x06:
            return int(operand)
        else:
            holds = {0x15: loaded == operand, 0x35: loaded >= operand, 0x45: bool(loaded & operand)}[operation]
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_that_is_not_in_the_table_is_refused_on_both_processors(machine: str) -> None:
    listed = set(allowed(machine))
    for number in [*range(600), 0x40000000, 0x40000001, 0xFFFFFFFF]:
        found = verdict(machine, number)
        if number in listed:
            assert found == ALLOW
        elif number not in CHECKED[machine]:
            assert found == (ENOSYS if number >= 403 else EPERM), number
    column = [*MACHINES].index(machine)
    assert not listed & {numbers[column] for numbers in HARMFUL.values()}
    assert verdict(machine, next(iter(listed)), audit=0x40000003) == ENOSYS  # a program of 32 bits


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_decide_where_a_call_is_harmless_with_some(machine: str) -> None:
    clone, prctl, fcntl, ioctl, prlimit, pair = CHECKED[machine]
    assert (verdict(machine, clone, (CLONE_THREAD | 0xF00,)), verdict(machine, clone, (17,))) == (ALLOW, EPERM)
    assert (verdict(machine, prctl, (15,)), verdict(machine, prctl, (PR_SET_PDEATHSIG,))) == (ALLOW, EPERM)
    assert verdict(machine, prctl, (PR_SET_PDEATHSIG | 1 << 32,)) == EPERM  # the kernel reads the lower half
    assert {verdict(machine, fcntl, (3, command)) for command in (F_SETLK, 7, 37, 38, F_SETPIPE_SZ)} == {EPERM}
    assert verdict(machine, fcntl, (3, 1030)) == ALLOW
    assert (verdict(machine, ioctl, (1, 0x5401)), verdict(machine, ioctl, (1, TIOCSTI))) == (ALLOW, ENOTTY)
    assert (verdict(machine, prlimit, (0, 7)), verdict(machine, prlimit, (1, 7))) == (ALLOW, EPERM)
    assert (verdict(machine, pair, (1,)), verdict(machine, pair, (16,))) == (ALLOW, EPERM)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip(f"the kernel's header {HEADERS[machine]} is not installed")
    source = "#define __BITS_PER_LONG 64\n#define __ARCH_WANT_RENAMEAT\n#define __ARCH_WANT_NEW_STAT\n"
    source += "#define __ARCH_WANT_SET_GET_RLIMIT\n#define __ARCH_WANT_SYS_CLONE3\n"
    source += f"#define __ARCH_WANT_MEMFD_SECRET\n#include <{HEADERS[machine]}>\n"
    try:
        macros = subprocess.run(["cpp", "-dM", "-"], input=source, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("there is no C preprocessor")
    defined = dict(re.findall(r"#define (__NR\w+) (\w+)", macros))
    column = 1 + [*MACHINES].index(machine)
    for name, *numbers in (entry.split() for entry in _TABLE.split(",")):
        value = defined.get(f"__NR_{name}", "-")
        while value.startswith("__NR"):
            value = defined[value]
        assert numbers[column - 1] == value, name
    for name, pair in HARMFUL.items():
        value = defined.get(f"__NR_{name}")
        assert pair[column - 1] == (value and int(value)), name


def test_in_the_sandbox_every_other_call_fails_whatever_its_number() -> None:
    machine = os.uname().machine
    listed = {*allowed(machine), *CHECKED[machine]}
    # Two numbers are no calls but traps, which the kernel answers before the filter: uretprobe and uprobe.
    traps = (335, 336) if machine == "x86_64" else ()
    numbers = [number for number in range(600) if number not in listed and number not in traps]
    program = (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "def answered(numbers):\n    found = set()\n    for number in numbers:\n"
        "        found.add((libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno()))\n    return found"
    )
    assert evaluate(program, f"answered({numbers})") == {(-1, errno.EPERM), (-1, errno.ENOSYS)}


@pytest.mark.parametrize(
    "attempt",
    [
        "libc.semget(0, 32000, 0o1600)",
        "libc.syscall(206 if x86 else 0, 128, ctypes.byref(ctypes.c_ulong()))",
        "libc.syscall(222 if x86 else 107, 0, None, ctypes.byref(ctypes.c_int()))",
        "libc.inotify_init1(0)",
        "libc.mq_open(b'/queue', 0o102, 0o600, None)",
        "fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)",
        "fcntl.lockf(open('/tmp/file', 'w'), fcntl.LOCK_EX, 1, 2)",
        "os.setxattr('/tmp', 'user.a', b'1')",
        "socket.socketpair(socket.AF_NETLINK)",
    ],
)
def test_no_resource_of_the_kernel_is_taken_that_the_limits_do_not_count(attempt: str) -> None:
    program = (
        "import ctypes, fcntl, os, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "x86 = os.uname().machine == 'x86_64'\n"
        f"def refused():\n    try:\n        return {attempt} == -1\n    except OSError:\n        return True"
    )
    result = run_tests(program, "", ["assert refused()"], SandboxLimits(seconds=2))
    assert result.passed, result.detail


def test_signals_that_wait_are_few() -> None:
    """Each takes memory of the kernel, and a full queue only drops what a signal carries, without an error."""
    program = "import resource\ndef most(): return resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]"
    assert evaluate(program, "most()") <= 64


@pytest.mark.parametrize(
    "expression",
    [
        "asyncio.run(asyncio.sleep(0, 5)) == 5",
        "list(concurrent.futures.ThreadPoolExecutor(4).map(abs, [-1, -2])) == [1, 2]",
        "shutil.copytree('/tmp/a', '/tmp/b') and os.path.exists('/tmp/b/one')",
        "tempfile.NamedTemporaryFile('w+').write('abc') == 3",
        "sqlite3.connect(':memory:').execute('select 1 + 1').fetchone() == (2,)",
        "len(os.urandom(4)) == len(secrets.token_bytes(4)) == 4",
        "select.select([], [], [], 0) == ([], [], []) and time.sleep(0) is None",
        "mmap.mmap(-1, 4096)[:2] == bytes(2)",
        "os.cpu_count() > 0 and len(os.sched_getaffinity(0)) > 0 and resource.getrusage(0).ru_maxrss > 0",
        "os.set_inheritable(os.pipe()[0], True) is None and not os.isatty(os.pipe()[0])",
        "gzip.decompress(gzip.compress(b'a')) == b'a' and lzma.decompress(lzma.compress(b'a')) == b'a'",
        "ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)() == 7",
        "datetime.datetime.now() and platform.uname() and locale.getlocale() is not None",
    ],
)
def test_what_programs_use_of_the_standard_library_works(expression: str) -> None:
    modules = "asyncio, concurrent.futures, ctypes, datetime, gzip, locale, lzma, mmap, os, platform, resource, secrets"
    program = (
        f"import {modules}, select, shutil, sqlite3, tempfile, time\n"
        "os.mkdir('/tmp/a'); open('/tmp/a/one', 'w').close()\n"
        f"def works(): return bool({expression})"
    )
    result = run_tests(program, "", ["assert works()"], SandboxLimits(seconds=10))
    assert result.passed, result.detail


@pytest.mark.parametrize(
    ("program", "test"),
    [
        ("raise ValueError('x' * 500_000)", "assert f()"),
        (f"class {'A' * 300_000}(Exception): pass\nraise {'A' * 300_000}", "assert f()"),
        ("f = 1", f"assert {'(' * 40}f{')' * 40} == 2, 'x' * 90_000"),
        ("def f(): raise type('E' * 500_000, (Exception,), {})", "assert f()"),
        ("", f"assert {'a' * 90_000}"),
    ],
)
def test_a_detail_is_bounded(program: str, test: str) -> None:
    assert 0 < len(run_tests(program, "", [test]).detail) <= LONGEST_DETAIL
