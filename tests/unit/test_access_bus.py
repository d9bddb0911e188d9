"""One connection to the accessibility bus, and how far what programs tell is behind what was done."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any, cast

import jeepney
import pytest
from jeepney.low_level import HeaderFields, Parser

from recorder.backends.atspi.bus import AccessBus, BusQuery, Ref
from tests.support.desktop_programs import until

_LIBRARY = cast("Any", jeepney)  # it has no types
_APP = Ref(":1.7", "/window")
_ROLE = BusQuery(_APP, "org.a11y.atspi.Accessible", "GetRole", reply="u")


class _Program:
    """The other end: a bus with one program, which answers as long as nobody holds it."""

    def __init__(self, connected: socket.socket) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._socket = connected
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        parser: Any = Parser()
        while data := self._socket.recv(4096):
            parser.add_data(data)
            while (message := parser.get_next_message()) is not None:
                self.may_answer.wait()
                is_hello = message.header.fields[HeaderFields.member] == "Hello"
                answer: Any = jeepney.new_method_return(
                    message, "s" if is_hello else "u", (":1.2" if is_hello else 43,)
                )
                answer.header.fields[HeaderFields.sender] = "org.freedesktop.DBus" if is_hello else _APP.bus
                self._socket.sendall(bytes(answer.serialise(serial=message.header.serial)))

    def close(self) -> None:
        self.may_answer.set()
        self._thread.join(timeout=10)
        self._socket.close()


@pytest.fixture
def ends() -> Iterator[tuple[AccessBus, _Program]]:
    ours, theirs = socket.socketpair()
    program = _Program(theirs)
    bus = AccessBus(ours, lambda _: None)
    yield bus, program
    bus.close()
    program.close()


def test_news_of_a_program_that_owes_an_answer_may_be_old(ends: tuple[AccessBus, _Program]) -> None:
    bus, program = ends
    assert bus.kept_up_ns(_APP.bus) is None, "it was never asked"
    program.may_answer.clear()
    answers: Queue[object] = Queue()
    asking = threading.Thread(target=lambda: answers.put(bus.ask(_ROLE, timeout_s=60)))
    asking.start()
    until(lambda: bus.kept_up_ns(_APP.bus) is not None, "it is not known that an answer is owed")
    assert not bus.is_silent(_APP.bus), "it may still answer in time"
    assert bus.kept_up_ns(":1.8") is None, "another owes nothing"
    program.may_answer.set()
    assert answers.get(timeout=60) == (43,)
    asking.join()
