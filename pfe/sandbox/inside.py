"""What runs in the process of `run_tests`: a guard, and its child that becomes the program.

Example of what it reports on standard output: "failed: test 2: AssertionError", NUL, "end exit: 0".
It imports nothing of ours and little else, so that it starts in milliseconds.

The guard moves into namespaces of its own (user, network, mount, process, IPC), in which every file
system is read-only but a small one in the working directory. The child gives up all capabilities,
opens no sockets and starts no processes (seccomp), and keeps to its limits. When its time is up the
guard ends it, and with it, the first process of its namespace, ends whatever it started.
"""

import ctypes
import marshal
import os
import resource
import select
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Never

MIB = 1024 * 1024
NAMESPACES = 0x20000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000  # mount, IPC, user, process, network
CLONE_THREAD = 0x10000
MS_NOSUID_NODEV = 2 | 4
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 1, 22, 38, 2
LINUX_CAPABILITY_VERSION_3 = 0x20080522
SIGKILL = 9
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x50001, 0x50026  # verdicts of a seccomp filter
# Machine: its audit number, its clone, and the verdict on other calls:
# fork, vfork, socket, unshare, io_uring_setup, clone3.
MACHINES = {
    "x86_64": (0xC000003E, 56, {57: EPERM, 58: EPERM, 41: EPERM, 272: EPERM, 425: EPERM, 435: ENOSYS}),
    "aarch64": (0xC00000B7, 220, {198: EPERM, 97: EPERM, 425: EPERM, 435: ENOSYS}),
}


def main() -> None:
    """Read the order, separate from the machine, fork the program, wait for its end and report it."""
    size = int.from_bytes(_exactly(0, 8), "little")
    program, setup, tests, seconds, memory_mb, files_mb, unsafe = marshal.loads(_exactly(0, size))
    key, report, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    trouble = _trouble(lambda: _separate(files_mb * MIB))
    if trouble and not unsafe:
        os.write(report, f"\0end refused: {trouble}".encode())
        return
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        trouble = _trouble(_confine)
        _limit(seconds, memory_mb * MIB, files_mb * MIB)
        os.write(tell, trouble.encode())
        for end in (hear, tell):
            os.close(end)
        if trouble and not unsafe:
            os._exit(1)
        _run(program, setup, tests, key, report)
    os.close(tell)
    trouble = os.read(hear, 1000).decode()
    ending = _ending(child, seconds)
    os.write(report, f"\0end refused: {trouble}".encode() if trouble and not unsafe else f"\0end {ending}".encode())


def _exactly(source: int, size: int) -> bytes:
    data = b""
    while len(data) < size and (chunk := os.read(source, size - len(data))):
        data += chunk
    return data


def _trouble(step: Callable[[], None]) -> str:
    try:
        step()
    except (OSError, AttributeError, KeyError) as error:
        return f"{type(error).__name__} {error}"
    return ""


def _separate(files: int) -> None:
    """Move to new namespaces, and leave the working directory as the only place to write.

    Raises:
        OSError, AttributeError: the system does not allow or know it.
    """
    library = ctypes.CDLL(None, use_errno=True)
    user, group, place = os.getuid(), os.getgid(), os.getcwd().encode()
    _call(library, "unshare", NAMESPACES)
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
    read_only = struct.pack("QQQQ", MOUNT_ATTR_RDONLY, 0, 0, 0)
    _call(library, "syscall", MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, read_only, len(read_only))
    _call(library, "mount", b"tmpfs", place, b"tmpfs", MS_NOSUID_NODEV, f"size={files},mode=700".encode())
    os.chdir(place)


def _confine() -> None:
    """Give up capabilities, processes and sockets for good.

    Raises:
        OSError, AttributeError, KeyError: the system does not allow or know it.
    """
    machine, clone, verdicts = MACHINES[os.uname().machine]
    library = ctypes.CDLL(None, use_errno=True)
    _call(library, "prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    _call(library, "capset", struct.pack("Ii", LINUX_CAPABILITY_VERSION_3, 0), bytes(24))
    _call(library, "prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    load, equal, at_least, any_bit, verdict = 0x20, 0x15, 0x35, 0x45, 0x06  # operations of the filter
    steps = [(load, 0, 0, 4), (equal, 1, 0, machine), (verdict, 0, 0, ENOSYS), (load, 0, 0, 0)]
    for operation, number, then in ((at_least, 0x40000000, ENOSYS), *((equal, n, v) for n, v in verdicts.items())):
        steps += [(operation, 0, 1, number), (verdict, 0, 0, then)]
    steps += [(equal, 1, 0, clone), (verdict, 0, 0, ALLOW), (load, 0, 0, 16)]
    steps += [(any_bit, 0, 1, CLONE_THREAD), (verdict, 0, 0, ALLOW), (verdict, 0, 0, EPERM)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HP", len(steps), ctypes.addressof(code))
    _call(library, "prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


def _call(library: ctypes.CDLL, name: str, *arguments: int | bytes) -> None:
    typed = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    if getattr(library, name)(*typed) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def _limit(seconds: float, memory: int, files: int) -> None:
    limits = (
        (resource.RLIMIT_CPU, int(-(-seconds // 1))),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, files),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, most in limits:
        allowed = resource.getrlimit(kind)[1]
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (most, most))


def _run(program: str, setup: str, tests: list[str], key: int, report: int) -> Never:
    """Run everything in one module; then carry the secret from the pipe `key` to the pipe `report`."""
    read, write, leave, execute, translate = os.read, os.write, os._exit, exec, compile
    module = ModuleType("solution")
    sys.modules["solution"] = module
    parts = [("program", program), ("setup", setup), *((f"test {n}", test) for n, test in enumerate(tests, 1))]
    where = ""
    try:
        for where, text in parts:
            execute(translate(text, f"<{where}>", "exec"), module.__dict__)
        said = read(key, 16)
    except MemoryError:
        said = f"memory: {where}".encode()
    except BaseException as error:
        said = f"failed: {where}: {_told(error)}".encode(errors="replace")
    write(report, said)
    leave(0)


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:300]
    except BaseException:
        return "an exception that cannot be shown"


def _ending(child: int, seconds: float) -> str:
    """Wait for the child, at most twice its seconds, and say how it ended."""
    late = not select.select([os.pidfd_open(child)], [], [], 2 * seconds)[0]
    for kill in (os.kill, os.killpg):
        with suppress(ProcessLookupError):
            kill(child, SIGKILL)
    _, status, usage = os.wait4(child, 0)
    if late:
        return f"timeout: {2 * seconds:g} s by the clock"
    # The kernel's limit and its account of the time used differ by a few ticks.
    if os.WIFSIGNALED(status) and usage.ru_utime + usage.ru_stime >= 0.9 * seconds:
        return f"timeout: {seconds:g} s of processor time"
    return f"signal: {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit: {os.WEXITSTATUS(status)}"


if __name__ == "__main__":
    main()
