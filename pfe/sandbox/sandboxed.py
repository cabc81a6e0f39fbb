"""The code inside a sandboxed process: a guard, and its child that becomes the program.

Example: to `("eval", "test 1", "double(4)", {})` the child answers "=8", to `double(None)` "!TypeError: …".
The module imports the guard's few lines and little else, so that it starts in milliseconds.

The guard enters its own namespaces (user, network, mount, process, IPC) and its own root, which contains Python and the
system's libraries, read-only, and an empty /tmp. The child gives up all capabilities, may only make the system calls of
`seccomp.py`, and has resource limits, with a control group too if there is one for it (`cgroup.py`). When its time is
up or the questions end, the guard kills it. As the child is the first process of its namespace, all its descendants end
with it. bubblewrap does this with the same system calls.

No verdict is made here: whatever a program does to its process, only the claimed return values of its functions leave
it. Linux only.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import struct
import sys
from _json import encode_basestring_ascii
from types import ModuleType

from pfe.processes.guard import adopt_orphans, attend, fork, limit, read, set_aside, write
from pfe.sandbox.detail import describe
from pfe.sandbox.seccomp import bpf

TYPE_CHECKING = False  # `typing` takes longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Never

MOST_ITEMS, MOST_DEPTH = 10_000, 50  # of one answer
NAMESPACES = 0x20000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000  # mount, IPC, user, process, network
MS_NOSUID_NODEV, MS_BIND_REC, MS_PRIVATE_REC, MNT_DETACH = 2 | 4, 4096 | 16384, 1 << 18 | 16384, 2
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY_NOSUID = 442, -100, 0x8000, 1 | 2
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LINUX_CAPABILITY_VERSION_3 = 0x20080522
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
NOBODY = 65534
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/nix/store")
DEVICES = ("/dev/null", "/dev/urandom")
BASES = (bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range)
LIKE_SETS: tuple[type, ...] = (type({}.keys()), type({}.items()))


def main() -> None:
    """Read the order, isolate this process, fork the program; report what failed and, if it ran, how it ended."""
    clock, limits, files, group, unsafe = marshal.loads(read(0))
    join = os.open(group, os.O_WRONLY) if group else None  # before the file is out of sight
    trouble = _trouble(lambda: _separate(files))
    if trouble and not unsafe:
        _report(trouble, "")
    adopt_orphans()
    if trouble:
        limits.pop("NPROC")  # it would count all processes of the user
    child, hear = fork(lambda tell: _become(tell, join, limits, unsafe))
    os.close(1)
    trouble = trouble or os.read(hear, 1000).decode()
    os.close(hear)
    _, account = attend(child, 0, clock)
    _report(trouble, "" if trouble and not unsafe else account)


def _report(trouble: str, account: str) -> Never:
    os.write(2, f"{trouble}\n{account}".encode())
    os._exit(0)


def _become(tell: int, join: int | None, limits: Mapping[str, int], unsafe: bool) -> None:
    """Confine the child, report any failure, and serve questions."""
    questions, answers = set_aside()
    os.environ["HOME"] = os.getcwd()
    trouble = _trouble(lambda: _confine(join))
    limit(limits)
    os.write(tell, trouble.encode())
    os.close(tell)
    if not trouble or unsafe:
        _serve(questions, answers)


def _trouble(step: Callable[[], None]) -> str:
    try:
        step()
    except (OSError, AttributeError, KeyError) as error:
        return f"{type(error).__name__} {error}"
    return ""


def _separate(files: int) -> None:
    """Enter new namespaces and a new root in the place of the working directory.

    Raises:
        OSError, AttributeError, KeyError: the system does not allow or support it.
    """
    library = ctypes.CDLL(None, use_errno=True)
    user, group, place = os.getuid(), os.getgid(), os.getcwd().encode()
    if user == 0:  # the kernel limits the threads of every real user but root; files are opened as the effective one
        _trouble(lambda: os.setresuid(NOBODY, -1, -1))
    pivot_root = PIVOT_ROOT[os.uname().machine]
    prefixes = (sys.base_prefix, sys.base_exec_prefix, os.path.dirname(os.__file__))
    mounts = [(path, os.path.realpath(path)) for path in (*SYSTEM, *prefixes, *DEVICES)]
    _call(library, "unshare", NAMESPACES)
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
    _call(library, "mount", b"none", b"/", 0, MS_PRIVATE_REC, 0)
    _call(library, "mount", b"tmpfs", place, b"tmpfs", MS_NOSUID_NODEV, b"size=1m,mode=755")
    os.chdir(place)
    os.mkdir("old")
    _call(library, "syscall", pivot_root, b".", b"old")
    os.chdir("/")
    for path, real in mounts:
        _show(library, path, f"/old{real}")
    _call(library, "umount2", b"/old", MNT_DETACH)
    os.rmdir("/old")
    os.mkdir("/tmp")
    read_only = struct.pack("QQQQ", MOUNT_ATTR_RDONLY_NOSUID, 0, 0, 0)
    _call(library, "syscall", MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, read_only, len(read_only))
    room = f"size={files},nr_inodes=4096,mode=1777".encode()
    _call(library, "mount", b"tmpfs", b"/tmp", b"tmpfs", MS_NOSUID_NODEV, room)
    os.chdir("/tmp")


def _show(library: ctypes.CDLL, path: str, source: str) -> None:
    """Mount a file or folder of the machine under its own path, unless it is there already or does not exist."""
    if os.path.lexists(path) or not os.path.exists(source):
        return
    if os.path.isdir(source):
        os.makedirs(path)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT))
    _call(library, "mount", source.encode(), path.encode(), 0, MS_BIND_REC, 0)


def _confine(join: int | None) -> None:
    """Join a control group, and give up capabilities and all but harmless system calls irrevocably.

    Raises:
        OSError, AttributeError, KeyError: the system does not allow or support it.
    """
    if join is not None:
        os.write(join, b"0")
        os.close(join)
    library, code = ctypes.CDLL(None, use_errno=True), bpf(os.uname().machine)
    _call(library, "capset", struct.pack("Ii", LINUX_CAPABILITY_VERSION_3, 0), bytes(24))
    _call(library, "prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    instructions = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HP", len(code) // 8, ctypes.addressof(instructions))
    _call(library, "prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


def _call(library: ctypes.CDLL, name: str, *arguments: int | bytes) -> None:
    c_arguments = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    if getattr(library, name)(*c_arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def _serve(questions: int, answers: int) -> None:
    """Execute and evaluate questions in one module, until they end."""
    module = ModuleType("solution")
    sys.modules["solution"] = module
    while order := read(questions):
        write(answers, _answer(module.__dict__, *marshal.loads(order)).encode(errors="replace"))


def _answer(module: dict[str, Any], kind: str, name: str, source: str, bindings: dict[str, Any]) -> str:
    """Run an expression ("eval") or statements ("exec"); return "=" and a literal, "!" and an error, or "M".

    "M" stands for out of memory. Names in `bindings` take precedence over those of the module.
    """
    try:
        value = eval(compile(source, f"<{name}>", kind, dont_inherit=True), module | bindings if bindings else module)
        return f"={literal(value)}"
    except MemoryError:
        return "M"
    except BaseException as error:
        return f"!{describe(error)}"


def literal(value: object) -> str:
    """Return a value as JSON; a type that JSON lacks is an array of its name and its parts: ["tuple", 1, 2].

    A dictionary is ["dict", key, value, …]. A subclass of a builtin type is written as its base if it has the base's
    equality, like a named tuple. So are `Counter` and `OrderedDict`; the keys and items of a dictionary are written as
    sets. Any other value is ["opaque", its type, its truth value], and so is a value larger than an answer may be.
    """
    try:
        return _literal(value, 0, [MOST_ITEMS])
    except OverflowError:
        return f'["opaque", {encode_basestring_ascii(f"{type(value).__name__}, larger than an answer may be")}, true]'


def _literal(value: Any, depth: int, room: list[int]) -> str:
    room[0] -= 1
    if depth > MOST_DEPTH or room[0] < 0:
        raise OverflowError
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) in LIKE_SETS:
        return _array("set", iter(value), depth, room)
    base = _base(type(value))
    if base is str:
        return encode_basestring_ascii(str.__str__(value))
    if base is int:
        return _digits(value)
    if base is float:
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text := float.__repr__(value), text)
    if base is complex:
        return _array("complex", (value.real, value.imag), depth, room)
    if base in (bytes, bytearray):
        return f'["bytes", "{base.hex(value)}"]'
    if base is range:
        return _array("range", (value.start, value.stop, value.step), depth, room)
    if base is dict:
        return _array("dict", (part for item in dict.items(value) for part in item), depth, room)
    if base is not None:
        return _array(base.__name__, base.__iter__(value), depth, room)
    return f'["opaque", {encode_basestring_ascii(type(value).__name__[:80])}, {"true" if value else "false"}]'


def _base(kind: type) -> Any:
    """Return the builtin type whose values are equal to those of `kind`, None if there is none."""
    if kind in BASES:
        return kind
    collections = sys.modules.get("collections")
    if collections and kind in (collections.Counter, collections.OrderedDict):
        return dict
    equality: object = kind.__eq__
    return next((base for base in BASES if base in kind.__mro__ and equality is base.__eq__), None)


def _digits(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # more digits than Python converts
        raise OverflowError from None


def _array(kind: str, parts: Iterable[object], depth: int, room: list[int]) -> str:
    texts = [f'"{kind}"', *(_literal(part, depth + 1, room) for part in parts)]
    return f"[{', '.join(texts)}]"
