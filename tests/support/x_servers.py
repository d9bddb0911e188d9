"""X servers for tests: Xvfb with or without certain extensions, and Xorg with monitors that come and go."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

from demopack.processes import end_process

_DUMMY = "/usr/lib/xorg/modules/drivers/dummy_drv.so"
_CONFIG = """
Section "ServerFlags"
    Option "AutoAddDevices" "false"
    Option "AutoEnableDevices" "false"
    Option "DontVTSwitch" "true"
EndSection
Section "Device"
    Identifier "card"
    Driver "dummy"
    VideoRam 65536
EndSection
Section "Monitor"
    Identifier "monitor"
    HorizSync 5-1000
    VertRefresh 5-200
EndSection
Section "Screen"
    Identifier "screen"
    Device "card"
    Monitor "monitor"
    DefaultDepth 24
    SubSection "Display"
        Depth 24
        Virtual 2560 1600
        Modes "1280x800" "1024x768" "800x600"
    EndSubSection
EndSection
"""


class XServer:
    """Xvfb without a window manager.

    Attributes:
        name: value for ``DISPLAY``.
        process: the server itself.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, *arguments: str, width: int = 640, height: int = 480) -> None:
        self.name = ""
        self._command = ["Xvfb", "-screen", "0", f"{width}x{height}x24", *arguments]

    def environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if key not in {"WAYLAND_DISPLAY", "XDG_SESSION_TYPE"}}
        return {**kept, "DISPLAY": self.name}

    def xrandr(self, *arguments: str) -> None:
        subprocess.run(["xrandr", *arguments], env=self.environment(), check=True, capture_output=True)

    def __enter__(self) -> XServer:
        read, write = os.pipe()
        self.process = subprocess.Popen(
            [*self._command, "-displayfd", str(write), "-noreset", "-nolisten", "tcp"],
            pass_fds=(write,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            self.name = f":{answer.readline().strip().decode()}"
        assert self.name != ":", "the server did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        end_process(self.process)


class DummyXorg(XServer):
    """Xorg with the dummy driver: outputs DUMMY0 (1280x800, on) and DUMMY1 to DUMMY15 (off), a screen that resizes."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        config = folder / "xorg.conf"
        config.write_text(_CONFIG, encoding="utf-8")
        self._command = [
            "Xorg", "-config", str(config), "-logfile", str(folder / "xorg.log"), "-novtswitch", "-sharevts",
        ]  # fmt: skip

    def connect(self, output: str, mode: str, *, right_of: str) -> None:
        """Put a monitor on an output."""
        self.xrandr("--addmode", output, mode)
        self.xrandr("--output", output, "--mode", mode, "--right-of", right_of)


def why_no_xorg() -> str:
    """Why :class:`DummyXorg` cannot run here; empty where it can."""
    if os.geteuid() != 0:
        return "Xorg with the dummy driver reads its configuration only when it is started by root"
    if shutil.which("Xorg") is None or shutil.which("xrandr") is None or not Path(_DUMMY).exists():
        return (
            "needs Xorg, xrandr and the dummy video driver: apt-get install xserver-xorg-video-dummy x11-xserver-utils"
        )
    return ""
