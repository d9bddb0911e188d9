"""A page with a field, a list of customers, a note and a button, which sends each note that is saved to whom it is for.

The page is the judge of what was done in it: it tells which customer was chosen, not where somebody clicked.
"""

from __future__ import annotations

import html
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from demopack.domain.geometry import Point
from demopack.settings import PrivacySettings
from recorder.desktop.private_display import PrivateDesktop
from tests.support.injector import Injector
from tests.support.record_command import RecordCommand

_PAGE = """<!doctype html><meta charset=utf-8><title>Customers</title>
<style>body{{margin:20px;font:15px 'DejaVu Sans'}} input,button{{font:inherit;margin:2px}}
#list{{display:grid;grid-template-columns:repeat(5,150px);gap:2px;margin:14px 0}}
#list button{{background:#eee;border:1px solid #999;text-align:left;padding:3px}}
#list .chosen{{background:#28c;color:#fff}}</style>
<p><label>Customer <input id=name autocomplete=off></label></p><div id=list>{rows}</div>
<p><label>Note <input id=note autocomplete=off></label> <button id=save>Save</button></p><p id=status></p>
<script>
const at = id => document.getElementById(id);
const send = (what, data) => fetch('{server}/' + what, {{method: 'POST', mode: 'no-cors', body: JSON.stringify(data)}});
let chosen = null;
for (const row of at('list').children) row.onclick = () => {{
  if (chosen) chosen.className = '';
  chosen = row; row.className = 'chosen'; at('status').textContent = 'Chosen: ' + row.textContent;
}};
at('save').onclick = () => {{
  send('saved', {{customer: at('name').value, chosen: chosen && chosen.textContent, note: at('note').value}});
  at('status').textContent = 'Saved for ' + (chosen ? chosen.textContent : 'nobody');
  at('name').value = at('note').value = '';
  if (chosen) chosen.className = '';
  chosen = null; document.activeElement.blur();
}};
addEventListener('mousemove', event => {{
  const dx = event.screenX - event.clientX, dy = event.screenY - event.clientY, places = {{}};
  for (const one of document.querySelectorAll('input,button')) {{
    const box = one.getBoundingClientRect();
    places[one.id || one.textContent] = [box.x + box.width / 2 + dx, box.y + box.height / 2 + dy];
  }}
  send('places', places);
}}, {{once: true}});
</script>
"""

_BINS_PAGE = """<!doctype html><meta charset=utf-8><title>Customers</title>
<style>body{{margin:20px;font:15px 'DejaVu Sans'}} input{{font:inherit}} td{{padding:4px 20px}}
.bin{{width:26px;height:26px;background:#eee;border:1px solid #999}}
.bin::before{{content:'';display:block;width:10px;height:12px;margin:auto;border:2px solid #555;border-top-width:4px}}
</style>
<p><label>Customer <input id=name autocomplete=off></label></p><table>{rows}</table><p id=status></p>
<script>
const at = id => document.getElementById(id);
const send = (what, data) => fetch('{server}/' + what, {{method: 'POST', mode: 'no-cors', body: JSON.stringify(data)}});
for (const bin of document.querySelectorAll('.bin')) bin.onclick = () => {{
  send('saved', {{customer: at('name').value, chosen: bin.id, note: ''}});
  at('name').value = ''; bin.closest('tr').remove(); document.activeElement.blur();
}};
addEventListener('mousemove', event => {{
  const dx = event.screenX - event.clientX, dy = event.screenY - event.clientY, places = {{}};
  for (const one of document.querySelectorAll('input,button')) {{
    const box = one.getBoundingClientRect();
    places[one.id] = [box.x + box.width / 2 + dx, box.y + box.height / 2 + dy];
  }}
  send('places', places);
}}, {{once: true}});
</script>
"""
"""A table with a bin without a name in each row, which takes the row away and sends whose it was."""
_ROW, _BIN_ROW = "<button>{0}</button>", "<tr><td>{0}<td>{1} May<td><button class=bin id='{0}'></button>"


@dataclass(frozen=True)
class SavedNote:
    """One note as the page sent it."""

    customer: str
    chosen: str | None
    note: str


class CustomersPage:
    """Writes the page to a file and listens to what it sends, for the length of a ``with`` block.

    Attributes:
        file: the page.
        saved: the notes in the order in which they were saved.
    """

    def __init__(self, folder: Path, customers: Sequence[str], *, with_bins: bool = False) -> None:
        self.saved: list[SavedNote] = []
        self._places: dict[str, list[float]] = {}
        self._changed = threading.Condition()
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                page.got(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: ARG002 - the library's form
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        row = _BIN_ROW if with_bins else _ROW
        rows = "".join(row.format(html.escape(name), n) for n, name in enumerate(customers, start=1))
        self.file = folder / "customers.html"
        server = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.file.write_text((_BINS_PAGE if with_bins else _PAGE).format(rows=rows, server=server), encoding="utf-8")

    def __enter__(self) -> CustomersPage:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def got(self, path: str, data: dict[str, Any]) -> None:
        """Keep what the page sent."""
        with self._changed:
            if path == "/saved":
                self.saved.append(SavedNote(**data))
            else:
                self._places = data
            self._changed.notify_all()

    def wait_for_notes(self, count: int, *, timeout_s: float = 60.0) -> None:
        """Wait until so many notes were saved."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.saved) >= count, timeout_s), self.saved

    def middle(self, name: str) -> Point:
        """Where a field or button is on the screen; the page tells it once the pointer has moved over it."""
        with self._changed:
            assert self._changed.wait_for(lambda: bool(self._places), 30.0)
            x, y = self._places[name]
            return Point(round(x), round(y))


def record_note(
    desktop: PrivateDesktop,
    page: CustomersPage,
    person: Injector,
    library: Path,
    note: SavedNote,
    *,
    privacy: PrivacySettings,
) -> None:
    """Record how a person saves a note for a customer; the two texts are the variables ``text_1`` and ``text_2``.

    A note without a text is for a page with bins, where the bin in the row of the customer is clicked.
    """

    def click(name: str) -> None:
        at = page.middle(name)
        person.move(at.x, at.y)
        person.wait(0.4)
        person.click(at.x, at.y)
        person.wait(0.4)

    def type_variable(text: str) -> None:
        person.type(text)
        person.wait(0.4)
        person.key("f10")
        person.wait(0.3)

    person.move(700, 500)
    person.move(600, 500)
    with RecordCommand(desktop, library, privacy=privacy) as record:
        first = page.middle("name")
        person.move(first.x, first.y)
        person.wait(1.5)  # the browser begins to tell what lies under the pointer
        click("name")
        type_variable(note.customer)
        click(note.chosen or note.customer)
        if note.note:
            click("note")
            type_variable(note.note)
            click("save")
        page.wait_for_notes(1)
        steps = 6 if note.note else 3
        record.wait_for(lambda told: sum(one["event"] == "step" for one in told) >= steps)
    person.move(700, 500)
    assert page.saved == [note]
