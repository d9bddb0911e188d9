"""Imports every module of the product as on another system: ``python -m tests.support.import_as win32|darwin``.

First everything is imported as it is here, so that the libraries of others are loaded; then the platform changes its
name, what the other system does not have goes away, and our modules are imported once more. Prints JSON: ``seen``
modules, and those that ``failed`` with the error.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import time
from importlib.machinery import ModuleSpec
from types import ModuleType

PRODUCT = ("demopack", "demopack_cli", "recorder", "annotator", "models", "player", "tasks")

LINUX_ONLY = ("Xlib", "jeepney", "evdev", "spwd", "ossaudiodev")
POSIX_ONLY = (
    "fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "readline", "posix", "syslog", "curses", "_curses",
    "_posixsubprocess", "_posixshmem", "crypt", "nis",
)  # fmt: skip
ABSENT_MODULES = {"win32": LINUX_ONLY + POSIX_ONLY, "darwin": LINUX_ONLY}

LINUX_NAMES: dict[ModuleType, tuple[str, ...]] = {
    os: (
        "sched_getaffinity", "sched_setaffinity", "pidfd_open", "memfd_create", "getrandom", "posix_fadvise",
        "posix_fallocate", "copy_file_range", "splice", "eventfd", "getxattr", "setxattr", "O_TMPFILE", "fdatasync",
    ),
    select: ("epoll", "EPOLLIN"),
    signal: ("SIGRTMIN", "SIGRTMAX", "SIGPWR", "SIGSTKFLT", "SIGPOLL", "sigtimedwait", "sigwaitinfo"),
    socket: ("AF_NETLINK", "AF_PACKET", "AF_ALG", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SO_PEERCRED"),
    time: ("CLOCK_BOOTTIME",),
}  # fmt: skip
POSIX_NAMES: dict[ModuleType, tuple[str, ...]] = {
    os: (
        "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getgroups", "getsid", "setsid", "getpgid",
        "setpgid", "getpgrp", "killpg", "mkfifo", "mknod", "nice", "getpriority", "setpriority", "PRIO_PROCESS",
        "sysconf", "sysconf_names", "statvfs", "chown", "lchown", "fchown", "fchmod", "chroot", "uname", "pathconf",
        "getloadavg", "posix_spawn", "posix_spawnp", "wait", "wait3", "wait4", "waitid", "WNOHANG", "WIFEXITED",
        "O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "ctermid", "openpty", "ttyname", "pread", "pwrite",
        "readv", "writev", "sendfile", "lockf", "sync", "pipe2", "EX_OK", "getresuid",
    ),
    select: ("poll", "POLLIN"),
    signal: (
        "SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGPIPE",
        "SIGQUIT", "SIGWINCH", "alarm", "pause", "setitimer", "pthread_kill", "pthread_sigmask", "sigwait",
    ),
    socket: ("AF_UNIX", "MSG_DONTWAIT", "MSG_NOSIGNAL", "CMSG_LEN", "SCM_RIGHTS"),
    time: ("clock_gettime", "clock_gettime_ns", "clock_settime", "CLOCK_MONOTONIC", "tzset"),
}  # fmt: skip
ABSENT_NAMES = {"win32": (LINUX_NAMES, POSIX_NAMES), "darwin": (LINUX_NAMES,)}


class _Absent:
    """An importer for which some modules are not installed."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = frozenset(names)

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name.split(".", maxsplit=1)[0] in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}: this system does not have it", name=name)
        return None


def import_all() -> tuple[list[str], dict[str, str]]:
    """Names of all modules of the product, and those that could not be imported with the error of each."""
    seen: list[str] = []
    failed: dict[str, str] = {}
    for root in PRODUCT:
        names = [module.name for module in pkgutil.walk_packages([root], f"{root}.", onerror=lambda _: None)]
        for name in (root, *names):
            if name.endswith("__main__"):
                continue
            try:
                importlib.import_module(name)
            except Exception as error:  # noqa: BLE001 - whatever it is, it stands in the report
                failed[name] = f"{type(error).__name__}: {error}"
            else:
                seen.append(name)
    return seen, failed


def become(platform: str) -> None:
    """Make this process look like one on another system to what is imported from now on."""
    sys.platform = platform
    absent = ABSENT_MODULES[platform]
    for name in list(sys.modules):
        if name.split(".")[0] in (*PRODUCT, *absent):
            del sys.modules[name]
    sys.meta_path.insert(0, _Absent(absent))
    for table in ABSENT_NAMES[platform]:
        for module, names in table.items():
            for name in names:
                if hasattr(module, name):
                    delattr(module, name)


def main() -> None:
    _, failed_here = import_all()
    assert failed_here == {}, failed_here
    become(sys.argv[1])
    seen, failed = import_all()
    print(json.dumps({"seen": seen, "failed": failed}))


if __name__ == "__main__":
    main()
