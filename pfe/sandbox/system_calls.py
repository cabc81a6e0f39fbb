"""The seccomp filter of a sandboxed program: the system calls that CPython needs, and no others.

Example: `program("x86_64")` allows `read` (0), answers `semget` (64) with EPERM, and a call that is newer than the
table, such as `futex_wake` (454), with ENOSYS, so that the C library uses an older one.

Not allowed is what uses memory or numbers of the kernel that no resource limit of the process counts (semaphores,
queues, asynchronous I/O, POSIX timers, watches, record locks), what starts or inspects processes, and what changes the
machine. Numbers are those of Linux 6.12 (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h).
"""

import struct

ALLOW, EPERM, ENOSYS, ENOTTY = 0x7FFF0000, 0x50001, 0x50026, 0x50019  # verdicts
# Name, number on x86-64, number on AArch64.
_TABLE = """
read 0 63, write 1 64, close 3 57, open 2 -, openat 257 56, openat2 437 437, creat 85 -, close_range 436 436,
stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291, access 21 -, faccessat 269 48,
faccessat2 439 439, lseek 8 62, pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66, preadv 295 69,
pwritev 296 70, preadv2 327 286, pwritev2 328 287, truncate 76 45, ftruncate 77 46, fallocate 285 47,
fadvise64 221 223, fsync 74 82, fdatasync 75 83, copy_file_range 326 285, sendfile 40 71, dup 32 23, dup2 33 -,
dup3 292 24, pipe 22 -, pipe2 293 59, getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49,
fchdir 81 50, mkdir 83 -, mkdirat 258 34, rmdir 84 -, rename 82 -, renameat 264 38, renameat2 316 276,
link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, unlink 87 -, unlinkat 263 35, readlink 89 -,
readlinkat 267 78, chmod 90 -, fchmod 91 52, fchmodat 268 53, umask 95 166, utime 132 -, utimes 235 -,
futimesat 261 -, utimensat 280 88, statfs 137 43, fstatfs 138 44, getxattr 191 8, lgetxattr 192 9,
fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, flistxattr 196 13, flock 73 32, poll 7 -, ppoll 271 73,
select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -,
epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -, eventfd2 290 19, timerfd_create 283 85,
timerfd_settime 286 86, timerfd_gettime 287 87, signalfd 282 -, signalfd4 289 74, sendto 44 206,
recvfrom 45 207, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209, setsockopt 54 208,
mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, madvise 28 233, msync 26 227, mincore 27 232,
brk 12 214, membarrier 324 283, futex 202 98, futex_waitv 449 449, set_robust_list 273 99,
set_tid_address 218 96, rseq 334 293, arch_prctl 158 -, rt_sigaction 13 134, rt_sigprocmask 14 135,
rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigsuspend 130 133, rt_sigtimedwait 128 137,
sigaltstack 131 132, restart_syscall 219 128, pause 34 -, alarm 37 -, getitimer 36 102, setitimer 38 103,
kill 62 129, tkill 200 130, tgkill 234 131, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113,
clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153, getcpu 309 168, getrandom 318 278,
sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, getpriority 140 141, getpid 39 172,
getppid 110 173, gettid 186 178, getpgrp 111 -, getpgid 121 155, getsid 124 156, getuid 102 174,
geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158,
getrusage 98 165, getrlimit 97 163, setrlimit 160 164, uname 63 160, sysinfo 99 179, wait4 61 260,
waitid 247 95, exit 60 93, exit_group 231 94
"""
_FIRST_NEW = 403  # from here on, calls have the same number on both machines
_ARGUMENTS = 16  # the offset of the first argument in seccomp_data; each has 8 bytes, the lower half first
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _VERDICT = 0x20, 0x15, 0x45, 0x35, 0x06  # operations of the filter
# By machine: its audit number, and the number of pivot_root.
MACHINES = {"x86_64": (0xC000003E, 155), "aarch64": (0xC00000B7, 41)}
# Calls that are allowed if an argument passes a test: their numbers by machine, the argument, the test, the values that
# pass, and the verdict on others.
_CHECKED = (
    ((56, 220), 0, _ANY_BIT, (0x10000,), EPERM),  # clone: CLONE_THREAD
    # prctl: PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ,
    # PR_GET_NO_NEW_PRIVS, PR_SET_VMA. Not PR_SET_PDEATHSIG: a program that survives its guard has no time limit.
    ((157, 167), 0, _EQUAL, (2, 3, 15, 16, 21, 23, 39, 0x53564D41), EPERM),
    # fcntl: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ. Not record locks, of which one
    # file may have millions, nor F_SETPIPE_SZ.
    ((72, 25), 1, _EQUAL, (0, 1, 2, 3, 4, 1030, 1032), EPERM),
    # ioctl: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
    ((16, 29), 1, _EQUAL, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451), ENOTTY),
    ((302, 261), 0, _EQUAL, (0,), EPERM),  # prlimit64: of this process
    ((53, 199), 0, _EQUAL, (1,), EPERM),  # socketpair: AF_UNIX
)


def allowed(machine: str) -> list[int]:
    """Return the numbers of the calls that are allowed with any arguments.

    Raises:
        KeyError: the machine is not in MACHINES.
    """
    column = 1 + _column(machine)
    return sorted(int(entry.split()[column]) for entry in _TABLE.split(",") if entry.split()[column] != "-")


def program(machine: str) -> list[tuple[int, int, int, int]]:
    """Return the filter's instructions: operation, steps to skip if true, steps to skip if false, operand.

    Raises:
        KeyError: the machine is not in MACHINES.
    """
    audit, _ = MACHINES[machine]
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, audit), (_VERDICT, 0, 0, ENOSYS), (_LOAD, 0, 0, 0)]
    for number in allowed(machine):
        steps += [(_EQUAL, 0, 1, number), (_VERDICT, 0, 0, ALLOW)]
    for numbers, argument, test, values, otherwise in _CHECKED:
        tests = [step for value in values for step in ((test, 0, 1, value), (_VERDICT, 0, 0, ALLOW))]
        load = (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)
        steps += [(_EQUAL, 0, len(tests) + 2, numbers[_column(machine)]), load, *tests, (_VERDICT, 0, 0, otherwise)]
    return [*steps, (_AT_LEAST, 0, 1, _FIRST_NEW), (_VERDICT, 0, 0, ENOSYS), (_VERDICT, 0, 0, EPERM)]


def packed(steps: list[tuple[int, int, int, int]]) -> bytes:
    """Return instructions in the kernel's form, struct sock_filter."""
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _column(machine: str) -> int:
    return {name: place for place, name in enumerate(MACHINES)}[machine]
