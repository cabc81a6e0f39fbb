"""The filter of system calls: which are allowed on both processors, and what a program gets that tries others."""

import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

from pfe.sandbox.process import SandboxLimits
from pfe.sandbox.programs import evaluate
from pfe.sandbox.seccomp import ABSENT, ALLOW, AUDIT, CALLS, KILL, NEWEST, NO_TERMINAL, PRETEND, REFUSE, RULES, bpf

MACHINES = tuple(AUDIT)
HERE = os.uname().machine
BEYOND = (1000, 0x40000000, 0x40000001, 0x7FFFFFFF, 0xFFFFFFFF)
# What was or could be taken from the machine beyond every limit, and what reaches other processes or the system: the
# number on x86-64, and on aarch64.
HARMFUL = {
    "semget": (64, 190), "semtimedop": (220, 192), "shmget": (29, 194), "msgget": (68, 186), "mq_open": (240, 180),
    "io_setup": (206, 0), "io_uring_setup": (425, 425), "timer_create": (222, 107), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "add_key": (248, 217), "keyctl": (250, 219), "request_key": (249, 218),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "pkey_alloc": (330, 289), "mlock": (149, 228), "mlock2": (325, 284),
    "mlockall": (151, 230), "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77), "fsopen": (430, 430),
    "open_tree": (428, 428), "landlock_create_ruleset": (444, 444), "seccomp": (317, 277), "setxattr": (188, 5),
    "fsetxattr": (190, 7), "ptrace": (101, 117), "process_vm_readv": (310, 270), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "chroot": (161, 51), "execve": (59, 221), "execveat": (322, 281), "socket": (41, 198), "sendmsg": (46, 211),
    "sendmmsg": (307, 269), "setsockopt": (54, 208), "setresuid": (117, 147), "capset": (126, 91),
    "personality": (135, 92), "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274), "sync": (162, 81), "rt_sigqueueinfo": (129, 138), "mbind": (237, 235),
    "name_to_handle_at": (303, 264), "clone3": (435, 435),
}  # fmt: skip


def verdict(machine: str, number: int, arguments: tuple[int, ...] = (), audit: int | None = None) -> int:
    """The filter's verdict on a call, by the rules of classic BPF."""
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *(*arguments, *[0] * 6)[:6])
    code = bpf(machine)
    steps = [struct.unpack_from("<HBBI", code, place) for place in range(0, len(code), 8)]
    value, place = 0, 0
    while True:
        operation, true, false, operand = steps[place]
        place += 1
        match operation:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, operand)
            case 0x54:
                value &= operand
            case 0x15:
                place += true if value == operand else false
            case 0x25:
                place += true if value > operand else false
            case 0x35:
                place += true if value >= operand else false
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"operation {operation:#x}")


def numbers(machine: str) -> dict[str, int]:
    column = MACHINES.index(machine)
    return {name: number for name, both in CALLS.items() if (number := both[column]) is not None}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_listed_call_is_allowed_and_no_other(machine: str) -> None:
    listed = numbers(machine)
    plain = {number for name, number in listed.items() if name not in RULES}
    assert {number: verdict(machine, number) for number in plain} == dict.fromkeys(plain, ALLOW)
    others = set(range(NEWEST + 1)) - set(listed.values())
    assert {number: verdict(machine, number) for number in others} == dict.fromkeys(others, REFUSE)
    beyond = (*range(NEWEST + 1, NEWEST + 100), *BEYOND)
    assert {number: verdict(machine, number) for number in beyond} == dict.fromkeys(beyond, ABSENT)


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_end_the_process(machine: str) -> None:
    for audit in {0x40000003, 0x40000028, 0, *AUDIT.values()} - {AUDIT[machine]}:  # i386 and 32-bit ARM among them
        assert {verdict(machine, number, audit=audit) for number in (*range(NEWEST + 1), *BEYOND)} == {KILL}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("clone", (0x3D0F00,), ALLOW),  # a thread of glibc
        ("clone", (0x7D0F00,), ALLOW),  # a thread of musl
        ("clone", (0x1200011,), REFUSE),  # fork
        ("clone", (0x4111,), REFUSE),  # vfork
        ("clone", (0x10B00,), REFUSE),  # a thread with a table of files of its own
        ("clone", (0x10000411,), REFUSE),  # a user namespace
        ("clone3", (0x7FFF00000000, 88), ABSENT),
        ("close_range", (3, 60, 0), ALLOW),
        ("close_range", (3, 60, 4), ALLOW),
        ("close_range", (3, 60, 2), REFUSE),
        ("mmap", (0, 4096, 3, 0x22, 0xFFFFFFFF), ALLOW),
        ("mmap", (0, 1 << 21, 3, 0x40022, 0xFFFFFFFF), REFUSE),
        ("prctl", (15,), ALLOW),
        *((("prctl", (option,), REFUSE)) for option in (1, 4, 22, 35, 36, 38, 47, 0x53564D41)),
        ("prlimit64", (0, 7), ALLOW),
        ("prlimit64", (1, 7), REFUSE),
        ("socketpair", (1, 1), ALLOW),
        *((("socketpair", (family, 1), REFUSE)) for family in (2, 10, 16, 30, 40)),
        *((("fcntl", (3, command), ALLOW)) for command in (0, 1, 2, 3, 4, 5, 1030)),
        *((("fcntl", (3, command), PRETEND)) for command in (6, 7)),
        *((("fcntl", (3, command), REFUSE)) for command in (8, 10, 37, 38, 1024, 1026, 1031, 1033)),
        ("ioctl", (3, 0x5421), ALLOW),
        *((("ioctl", (3, request), NO_TERMINAL)) for request in (0x5412, 0x541C, 0x5452, 0x40086602)),
    ],
)
def test_an_argument_decides(machine: str, call: str, arguments: tuple[int, ...], expected: int) -> None:
    number = numbers(machine)[call]
    assert verdict(machine, number, arguments) == expected
    halves = tuple(argument | 1 << 40 for argument in arguments)  # the kernel takes the lower half alone, too
    assert verdict(machine, number, halves) == expected


def test_every_rule_is_of_a_listed_call_and_tried() -> None:
    assert RULES.keys() <= CALLS.keys()
    mark = next(iter(test_an_argument_decides.pytestmark))  # type: ignore[attr-defined]
    assert {row[0] for row in mark.args[1]} >= RULES.keys() - {"clone3"}


def test_no_harmful_call_is_listed() -> None:
    for column, machine in enumerate(MACHINES):
        allowed = {number for name, number in numbers(machine).items() if name != "clone3"}
        assert not allowed & {both[column] for both in HARMFUL.values()}


def test_the_numbers_are_those_of_the_kernels_headers() -> None:
    x86, generic = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), "asm-generic/unistd.h"
    if not x86.exists() or not Path("/usr/include", generic).exists():
        pytest.skip("the kernel's headers are missing (linux-libc-dev): the numbers are not compared with them")
    arm = ("__BITS_PER_LONG=64", *(f"__ARCH_WANT_{name}" for name in ("NEW_STAT", "RENAMEAT", "SET_GET_RLIMIT")))
    order = ["cc", "-E", "-dM", *(f"-D{name}" for name in (*arm, "__ARCH_WANT_SYS_CLONE3", "__ARCH_WANT_MEMFD_SECRET"))]
    order += ["-include", generic, "-x", "c", "/dev/null"]
    texts = x86.read_text(), subprocess.run(order, check=True, capture_output=True, text=True).stdout
    for column, text in enumerate(texts):
        known = dict(re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text))
        ours = {name: both[column] for name, both in (CALLS | HARMFUL).items()}
        newest = max(map(int, known.values()))
        rename = {"newfstatat": "fstatat"} if column else {}
        there = {name: known.get(rename.get(name, name)) for name in ours}
        expected = {name: int(number) if number is not None else None for name, number in there.items()}
        assert {name: number for name, number in ours.items() if number is None or number <= newest} == {
            name: expected[name] for name, number in ours.items() if number is None or number <= newest
        }


PRELUDE = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    result = libc.syscall(*map(ctypes.c_long, arguments))
    return result if result >= 0 else -ctypes.get_errno()
def refused(attempt):
    try:
        return attempt()
    except OSError as error:
        return -error.errno
def stackless():
    stacks, step = mmap.mmap(-1, 1000 * 4096), 4096
    start = ctypes.addressof(ctypes.c_char.from_buffer(stacks))
    pause = ctypes.cast(libc.pause, ctypes.c_void_p)
    for n in range(1000):
        if libc.clone(pause, ctypes.c_void_p(start + (n + 1) * step), 0x10F00, None) < 0:
            return n
def small():
    threading.stack_size(32768)
    done = threading.Event()
    for n in range(1000):
        try: threading.Thread(target=done.wait, daemon=True).start()
        except RuntimeError: return n
def locked():
    with open("locked", "w") as file:
        return [fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * (100_000 - n)) for n in range(100_000)].count(None)
"""


@pytest.mark.skipif(HERE not in MACHINES, reason="no filter for this processor")
def test_a_program_makes_no_harmful_call() -> None:
    calls = {name: both[MACHINES.index(HERE)] for name, both in HARMFUL.items()}
    results = evaluate(PRELUDE, f"{{name: call(number, 0, 0, 0, 0, 0) for name, number in {calls!r}.items()}}")
    assert results == dict.fromkeys(HARMFUL, -1) | {"clone3": -38}


@pytest.mark.parametrize(
    "attempt",
    [
        "libc.clone(ctypes.cast(libc.pause, ctypes.c_void_p), None, 0, None)",
        "call(436, 60, 60, 2)",
        "fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)",
        "fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        "fcntl.fcntl(os.open('/tmp', os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_MULTISHOT | fcntl.DN_CREATE)",
        "mmap.mmap(-1, 1 << 21, flags=0x40022)",
        "mmap.mmap(-1, 4096, flags=0x2022)",
        "socket.socketpair(socket.AF_INET)",
        "socket.send_fds(socket.socketpair()[0], [b'x'], [0])",
        "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)",
        "os.setxattr('/tmp', 'user.a', b'b')",
        "os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
        "resource.prlimit(1, resource.RLIMIT_CPU)",
        "libc.prctl(22, 2, struct.pack('HP', 1, 0), 0, 0) or None",
    ],
)
def test_a_harmful_argument_is_refused(attempt: str) -> None:
    assert evaluate(PRELUDE, f"refused(lambda: {attempt})") in (-1, -11)


def test_threads_are_bounded_whatever_their_stacks() -> None:
    for attempt in ("stackless", "small"):
        assert evaluate(PRELUDE, f"{attempt}()") < 256


def test_locks_of_records_are_taken_as_ever() -> None:
    assert evaluate(PRELUDE, "locked()", SandboxLimits(seconds=20)) == 100_000
