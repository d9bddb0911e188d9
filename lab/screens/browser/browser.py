"""One headless Chromium page: load, act, take its picture, ask what is on it."""

from __future__ import annotations

import base64
import io
import json
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from demopack.replacing import scratch_folder
from lab.screens.browser.chromium import chromium_command
from lab.screens.browser.pipe import DevTools

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage
    from models.training.labelled_screens import GroundTruth

# Everything that moves is brought to its end, and the caret stays on: a picture must not depend on the moment.
_STILL = """
(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, *::before, *::after { transition-duration: 0s !important; transition-delay: 0s !important;
    animation-duration: 0s !important; animation-delay: 0s !important; scroll-behavior: auto !important;
    caret-animation: manual !important; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})();
"""
_NO_CARET = """
(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})();
"""
_SETTLE = """
return (async () => {
  for (const one of document.getAnimations()) { try { one.finish(); } catch { one.cancel(); } }
  await document.fonts.ready;
  await Promise.all([...document.images].filter(i => !i.complete).map(i => i.decode().catch(() => 0)));
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
})();
"""


class Browser:
    """One page in a browser of its own; everything it leaves behind goes when the context is left.

    Pages are read from files; nothing outside this computer is ever asked. All positions are CSS pixels of the page's
    visible part; pictures and truth are in picture pixels, which are ``scale`` times as many.

    Args:
        width: of the page, in CSS pixels.
        height: of the page, in CSS pixels.
        scale: picture pixels for one CSS pixel.
        dark: whether the page is told that the person likes dark colours.

    Raises:
        CaptureError: no Chromium is installed, or it does not start.
    """

    def __init__(self, width: int, height: int, *, scale: float = 1.0, dark: bool = False) -> None:
        self._view = (width, height, scale, dark)
        self._no_caret = ""
        self._ends = ExitStack()

    def __enter__(self) -> Browser:
        with ExitStack() as ends:
            self._folder = ends.enter_context(scratch_folder())
            self._tools = DevTools(chromium_command(self._folder / "profile"))
            ends.callback(self._tools.close)
            self._session = self._open_page()
            self._ends = ends.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()

    def _open_page(self) -> str:
        pages = self._tools.call("Target.getTargets")["targetInfos"]
        target = next((p["targetId"] for p in pages if p["type"] == "page"), None)
        if target is None:
            target = self._tools.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = str(self._tools.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        self.command("Page.enable")
        self.command("Page.addScriptToEvaluateOnNewDocument", source=_STILL)
        # A page in the background draws no focus; this one always believes it is in front.
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)
        width, height, scale, dark = self._view
        self.view(width, height, scale=scale, dark=dark)
        return self._session

    def command(self, method: str, **parameters: object) -> dict[str, Any]:
        """A DevTools command to the page and its result.

        Raises:
            CaptureError: the browser refused it, did not answer in time, or is gone.
        """
        return self._tools.call(method, session=self._session, **parameters)

    # The page ---------------------------------------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """The browser's process, which leads a session of its own."""
        return self._tools.pid

    @property
    def scale(self) -> float:
        """Picture pixels for one CSS pixel."""
        return self._view[2]

    def view(self, width: int, height: int, *, scale: float = 1.0, dark: bool = False) -> None:
        """Change size, scale and colour scheme; the page that is shown is laid out anew."""
        self._view = (width, height, scale, dark)
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.command("Emulation.setEmulatedMedia", features=features)

    def on_every_page(self, body: str) -> None:
        """Run a script on each page that is loaded from now on, before its own scripts."""
        self.command("Page.addScriptToEvaluateOnNewDocument", source=body)

    def caret(self, *, shown: bool) -> None:
        """Whether the caret is drawn on the pages that are loaded from now on; it never blinks."""
        if self._no_caret:
            self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=self._no_caret)
            self._no_caret = ""
        if not shown:
            added = self.command("Page.addScriptToEvaluateOnNewDocument", source=_NO_CARET)
            self._no_caret = str(added["identifier"])

    def load_file(self, path: Path) -> None:
        """Show an HTML file; returns when it and all it needs is loaded.

        Raises:
            CaptureError: it cannot be loaded.
        """
        self._tools.forget_events()
        answer = self.command("Page.navigate", url=path.resolve().as_uri())
        if "errorText" in answer:
            raise CaptureError(f"Chromium cannot load {path}.", details=str(answer["errorText"]))
        self._tools.wait_for("Page.loadEventFired")

    def load_html(self, html: str, *, base: Path | None = None) -> None:
        """Show a page from its text.

        Args:
            html: the whole document.
            base: the folder that its relative addresses start from.

        Raises:
            CaptureError: it cannot be loaded.
        """
        if base is not None:
            html = _with_base(html, f"{base.resolve().as_uri()}/")
        page = self._folder / "page.html"
        page.write_text(html, encoding="utf-8")
        self.load_file(page)

    def run(self, body: str, *args: object) -> Any:  # noqa: ANN401 - whatever the page returns
        """What the body of a JavaScript function returns; a promise is waited for.

        Args:
            body: statements; ``return`` gives JSON back, ``arguments`` holds ``args``.
            args: plain JSON.

        Raises:
            CaptureError: the script failed; the details hold its message.
        """
        expression = f"(function () {{ {body}\n}}).apply(window, {json.dumps(args)})"
        answer = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            trouble = answer["exceptionDetails"]
            details = trouble.get("exception", {}).get("description") or trouble.get("text", "")
            raise CaptureError("A script on the page failed.", details=str(details))
        return answer["result"].get("value")

    def settle(self) -> None:
        """Wait until fonts and pictures are there, what moves has arrived and the result is drawn."""
        self.run(_SETTLE)

    # Picture and truth ------------------------------------------------------------------------------------------

    def picture(self, *, clip: Rect | None = None) -> RgbImage:
        """The visible part of the page, exact pixels, after it has settled.

        Args:
            clip: a part of it, in CSS pixels.

        Returns:
            Shape (height x scale, width x scale, 3), uint8.
        """
        import numpy as np
        from PIL import Image

        self.settle()
        # Chromium's own clipping would close an opened list; the whole is taken and cut here.
        answer = self.command("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        with Image.open(io.BytesIO(base64.b64decode(answer["data"]))) as opened:
            whole = np.asarray(opened.convert("RGB"), dtype=np.uint8)
        if clip is None:
            return whole
        x1, y1, x2, y2 = (int(v * self.scale) for v in (clip.x1, clip.y1, clip.x2, clip.y2))
        return np.ascontiguousarray(whole[y1:y2, x1:x2])

    def truth(self, image: RgbImage, *, root: str = "body", clip: Rect | None = None) -> list[GroundTruth]:
        """What can be seen on a picture that was just taken.

        A page that knows better than our guesses says so with attributes: ``data-truth-type`` (an element type, or
        ``none``), ``data-truth-subtype``, ``data-truth-states`` (a JSON object; ``null`` for what cannot be told),
        ``data-truth-skip`` (no element, but what is in it may be one; ``all``: nothing in it either) and
        ``data-truth-shapes`` on an SVG whose figures are elements of their own.

        Args:
            image: from ``picture`` with the same ``clip``; nothing may have changed since.
            root: selector of the part of the page that counts.
            clip: as in ``picture``.

        Raises:
            CaptureError: the page's script failed, or the opened list of a drop-down cannot be made out.
        """
        from lab.screens.browser.dom import page_script, truths

        width, height, scale, _ = self._view
        part = clip or Rect(0, 0, width, height)
        said = self.run(page_script(), root, [part.x1, part.y1, part.x2, part.y2])
        return truths(said, image, origin=(part.x1, part.y1), scale=scale)


def _with_base(html: str, address: str) -> str:
    import re

    tag = f'<base href="{address}">'
    with_head, found = re.subn(r"(<head[^>]*>)", lambda m: m[1] + tag, html, count=1, flags=re.IGNORECASE)
    return with_head if found else tag + html
