"""The system calls that a program may make, as a seccomp filter; all others are refused.

Example: `getrandom` is allowed, `semget` fails with EPERM, `clone` is allowed if it starts a thread.

The list has the calls of CPython, its standard library, glibc and musl. It leaves out calls that reach other processes,
and calls that take kernel memory or a resource of the whole machine beyond every limit of the process: semaphores,
message queues, keys, timers, asynchronous input and output, watches of files, filters, splices. Where one call does
both, its argument decides.

Numbers: Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (aarch64). A call of a
newer kernel, or of x86's other interface x32, is answered as if the kernel did not have it, so that a C library falls
back on an older one.
"""

from __future__ import annotations

import struct

KILL, ALLOW, REFUSE, ABSENT = 0x80000000, 0x7FFF0000, 0x50001, 0x50026  # verdicts; errors EPERM and ENOSYS
NO_TERMINAL, PRETEND = 0x50019, 0x50000  # the error ENOTTY; success without effect
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NEWEST = 462  # the last number that the list takes into account; numbers from 424 on are the same on all processors
# The number on x86-64, and on aarch64.
CALLS: dict[str, tuple[int | None, int | None]] = {
    # Files.
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68),
    "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286), "pwritev2": (328, 287), "lseek": (8, 62),
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None), "close": (3, 57),
    "close_range": (436, 436), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "umask": (95, 166),
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11),
    "llistxattr": (195, 12), "flistxattr": (196, 13), "fsync": (74, 82), "fdatasync": (75, 83), "flock": (73, 32),
    "fcntl": (72, 25), "ioctl": (16, 29), "sendfile": (40, 71), "copy_file_range": (326, 285), "dup": (32, 23),
    "dup2": (33, None), "dup3": (292, 24),
    # Changes of files.
    "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "mkdir": (83, None), "mkdirat": (258, 34),
    "mknod": (133, None), "mknodat": (259, 33), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37),
    "symlink": (88, None), "symlinkat": (266, 36), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    # Pipes, pairs of sockets, and waits.
    "pipe": (22, None), "pipe2": (293, 59), "socketpair": (53, 199), "sendto": (44, 206), "recvfrom": (45, 207),
    "recvmsg": (47, 212), "recvmmsg": (299, 243), "shutdown": (48, 210), "getsockname": (51, 204),
    "getpeername": (52, 205), "getsockopt": (55, 209), "select": (23, None), "pselect6": (270, 72), "poll": (7, None),
    "ppoll": (271, 73), "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "eventfd": (284, None),
    "eventfd2": (290, 19), "signalfd": (282, None), "signalfd4": (289, 74), "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    # Memory.
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "madvise": (28, 233), "msync": (26, 227), "mseal": (462, 462), "membarrier": (324, 283),
    # Threads.
    "clone": (56, 220), "clone3": (435, 435), "exit": (60, 93), "exit_group": (231, 94), "futex": (202, 98),
    "futex_waitv": (449, 449), "futex_wake": (454, 454), "futex_wait": (455, 455), "futex_requeue": (456, 456),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "rseq": (334, 293),
    "arch_prctl": (158, None), "prctl": (157, 167), "gettid": (186, 178), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_setaffinity": (203, 122), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_getattr": (315, 275), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "sched_rr_get_interval": (148, 127), "getcpu": (309, 168),
    # Signals.
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132), "kill": (62, 129),
    "tkill": (200, 130), "tgkill": (234, 131), "pause": (34, None), "restart_syscall": (219, 128),
    # Time.
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "getitimer": (36, 102), "setitimer": (38, 103),
    "alarm": (37, None), "times": (100, 153),
    # The process and the machine.
    "getpid": (39, 172), "getppid": (110, 173), "getpgid": (121, 155), "getpgrp": (111, None), "getsid": (124, 156),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "capget": (125, 90), "getpriority": (140, 141),
    "getrlimit": (97, 163), "setrlimit": (160, 164), "prlimit64": (302, 261), "getrusage": (98, 165),
    "wait4": (61, 260), "waitid": (247, 95), "uname": (63, 160), "sysinfo": (99, 179), "getrandom": (318, 278),
}  # fmt: skip
# Calls whose verdict depends on the lower half of an argument: its index, a mask, the verdict on each masked value, and
# the verdict on all others.
_THREAD = 0x10000 | 0x400  # CLONE_THREAD, and CLONE_FILES: without it a thread may open as many files again
_ALLOWED_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x40049409)  # TCGETS … FICLONE
_ALLOWED_FCNTLS = (0, 1, 2, 3, 4, 5, 1030, 1032)  # F_DUPFD to F_GETLK, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
_WHOLE = 0xFFFFFFFF
RULES: dict[str, tuple[int, int, dict[int, int], int]] = {
    "clone": (0, _THREAD, {_THREAD: ALLOW}, REFUSE),
    "clone3": (0, 0, {}, ABSENT),  # a filter cannot see its flags; the C library uses clone instead
    "close_range": (2, 2, {0: ALLOW}, REFUSE),  # CLOSE_RANGE_UNSHARE: like a thread without CLONE_FILES
    # F_SETLK and F_SETLKW: no other process sees the file, so that a lock has no effect but to take kernel memory.
    "fcntl": (1, _WHOLE, {**dict.fromkeys(_ALLOWED_FCNTLS, ALLOW), 6: PRETEND, 7: PRETEND}, REFUSE),
    "ioctl": (1, _WHOLE, dict.fromkeys(_ALLOWED_IOCTLS, ALLOW), NO_TERMINAL),
    "mmap": (3, 0x40000, {0: ALLOW}, REFUSE),  # MAP_HUGETLB: the machine's pool of huge pages
    # PR_SET_NAME, PR_GET_NAME; not PR_SET_PDEATHSIG: a program that survives its guard has no limit on its time.
    "prctl": (0, _WHOLE, {15: ALLOW, 16: ALLOW}, REFUSE),
    "prlimit64": (0, _WHOLE, {0: ALLOW}, REFUSE),  # its own limits
    "socketpair": (0, _WHOLE, {1: ALLOW}, REFUSE),  # AF_UNIX
}
_LOAD, _AND, _EQUAL, _ABOVE, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06  # operations of BPF
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; 8 bytes an argument, the lower half first


def bpf(machine: str) -> bytes:
    """Return the filter of a machine as BPF instructions, 8 bytes each.

    Raises:
        KeyError: the machine is neither "x86_64" nor "aarch64".
    """
    audit, column = AUDIT[machine], list(AUDIT).index(machine)
    numbers = {name: number for name, both in CALLS.items() if (number := both[column]) is not None}
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, audit), (_RETURN, 0, 0, KILL), (_LOAD, 0, 0, _NUMBER)]
    for name, (argument, mask, verdicts, otherwise) in RULES.items():
        body = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_AND, 0, 0, mask)]
        for value, verdict in verdicts.items():
            body += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, verdict)]
        body += [(_RETURN, 0, 0, otherwise)]
        steps += [(_EQUAL, 0, len(body), numbers.pop(name)), *body]
    for first, last in _ranges(sorted(numbers.values())):
        steps += [(_ABOVE, 3, 0, last), (_AT_LEAST, 0, 1, first), (_RETURN, 0, 0, ALLOW), (_RETURN, 0, 0, REFUSE)]
    steps += [(_ABOVE, 0, 1, NEWEST), (_RETURN, 0, 0, ABSENT), (_RETURN, 0, 0, REFUSE)]
    return struct.pack("HBBI" * len(steps), *(part for step in steps for part in step))


def _ranges(numbers: list[int]) -> list[list[int]]:
    """Return the first and the last of each run of consecutive numbers."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges
