"""Recorder of a run: everything that is executed goes into the library as it happens, as a demo like any other."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Final, Literal, TypeVar, cast

from demopack.clock import now_ns, utc_now
from demopack.domain.actions import Action, FinishGoalAction, LLMResponse, PressKeyAction
from demopack.domain.binding import bind
from demopack.domain.demos import CaptureCounters, DemoHead, Origin
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, element_at
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, iou
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.rationale import Rationale, basis_of
from demopack.domain.records import Record, new_id
from demopack.domain.steps import POSITION_GAP, AccessibleElement, CaptureQuality, Step, WindowInfo
from demopack.domain.words import counted
from demopack.redaction.record_fields import mapped
from demopack.reduction.steps import finish_step
from demopack.store import Library
from player.executor import NOT_TYPED, ExecutedAction
from player.observing import LiveObservation
from player.screen_matcher import frame_of_grab
from recorder.privacy.typed_secrets import STAND_IN, stand_in_of
from recorder.sources import platform_name

R = TypeVar("R", bound=Record)

FORMAT: Final = "agent"
"""Of the origin of a demo that a program did."""
_MIN_HIDDEN: Final = 4
"""Characters; shorter secrets are parts of ordinary words, and hidden where they were typed alone."""
_SAME_IOU: Final = 0.8
"""From here on two boxes on the same picture are one element."""

_HOLDS_INPUT_IOU: Final = 0.5
"""From here on an element is the one of which a program tells that it has the input."""


class RunRecorder:
    """Records into a library until :meth:`finish`, or until the end of its ``with`` block.

    A process that is killed leaves the steps so far as a partial demo. Beside the steps, the demo's origin says for
    each what was answered, what came of it and how long it took; what was tried and not performed stands with the step
    that follows it.

    Attributes:
        demo_id: of the demo.
        steps: how many were recorded.
    """

    def __init__(
        self,
        library: Library,
        *,
        task: str,
        said: Mapping[str, Any] | None = None,
        author: Provenance | None = None,
        finder: str = "",
    ) -> None:
        """Begin the demo.

        Args:
            library: where it goes.
            task: in the person's words.
            said: what is known of the run as a whole, plain JSON: model, dialect and the like.
            author: who says why each step is taken; None leaves reasonings in the log of answers alone.
            finder: name of the models that found the elements.

        Raises:
            LibraryBusyError: another recording is running in this library.
        """
        head = DemoHead(
            id=new_id("demo"),
            task=task,
            platform=platform_name(),
            created_at=utc_now(),
            started_ns=now_ns(),
            origin=Origin(format=FORMAT, said=dict(said or {})),
        )
        self.demo_id = head.id
        self.steps = 0
        self._library = library
        self._task = task
        self._author = author
        self._finder = finder or "demopack"
        self._recording = library.begin_recording(head)
        self._rows: dict[str, tuple[dict[str, Any], ...]] = {}
        self._tried: list[dict[str, Any]] = []
        self._elements: dict[str, tuple[Element, ...]] = {}
        self._apps: Counter[str] = Counter()
        self._hidden = 0
        self._secrets: dict[str, str] = {}
        self._known: set[str] = set()
        self._steps: dict[str, Step] = {}
        self._tracks: dict[str, str] = {}
        self._hid: dict[str, str] = {}
        self._last: str | None = None

    def __enter__(self) -> RunRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End a run that was not finished: it stays as a partial demo."""
        self._recording.__exit__(kind, value, trace)

    def expect(self, responses: Sequence[LLMResponse]) -> None:
        """Hide what an answer means to type until it went into a field: before, nobody knows what that is for.

        Args:
            responses: of the answer, of which some may never be carried out.
        """
        for response in responses:
            text = response.action.typed_text or ""
            if text not in self._known and text != stand_in_of(text):
                self._hide_from_now(text, NOT_TYPED)

    def add(
        self, executed: ExecutedAction, *, answer: Mapping[str, Any] | None = None, rationale: Rationale | None = None
    ) -> Step | None:
        """Store what was executed for good; None where nothing of it was done, which only the log of answers tells.

        Of keys that were stopped in the middle, those that were sent are a step, whose note says so.

        Args:
            executed: what was done, where, and what came of it.
            answer: what is known of the answer that it comes from, plain JSON: its text, the dialect, times.
            rationale: why, in fields; by default the response's reasoning as the author's thought.

        Raises:
            DiskFullError: it could not be stored; the steps before are safe.
        """
        if (text := executed.response.action.typed_text) and (secret := executed.secret):
            self._hidden += secret != NOT_TYPED
            answer = _without(answer or {}, {text: secret})
            self._hide_from_now(text, secret)
        elif text:  # its field is known by now, and none for secrets
            self._known.add(text)
            if self._secrets.get(text) == NOT_TYPED:
                for written in _written(text):
                    self._secrets.pop(written, None)
        row = {**(answer or {}), "response": executed.shown.to_wire(), "result": executed.result.to_json()}
        action, note = _done(executed)
        if action is None:
            self._tried.append(row)
            self._write_rows()
            return None
        reason = self._rationale(executed, rationale)
        step = self._step(executed, action).model_copy(update={"note": note, "rationale": reason})
        self._name_tracks()
        self.steps += 1
        self._recording.append_step(self._clean_step(step))
        self._steps[step.id] = step
        if step.window is not None and step.window.app:
            self._apps[step.window.app] += 1
        self._rows[step.id] = (*self._tried, row)
        self._tried, self._last = [], step.id
        self._write_rows()
        return step

    def finish(
        self,
        outcome: Literal["success", "failure"] | None,
        *,
        reason: str = "",
        missing: str = "",
        final: LiveObservation | None = None,
        said: Mapping[str, Any] | None = None,
    ) -> None:
        """End the demo, with the elements of every screen that was observed. Without a single step nothing is left.

        What was not cut off ends with a step that finishes the task, as every complete demo does.

        Args:
            outcome: whether the task was done; None when nobody says so.
            reason: why it failed.
            missing: why the run was cut off, in sentences; it is a partial demo then.
            final: the screen at the end.
            said: what is known of the run by now, beside what was said at its beginning.

        Raises:
            DiskFullError: the end could not be stored; the steps are safe.
        """
        frame = None
        if final is not None:
            self._recording.stage_image(final.image, key=final.frame.id)
            self._observe(final)
            frame = final.frame
        elif self._last is not None:
            last = self._recording.step(self._last)
            frame = last.after or last.before
        self._write_hidden()
        if frame is not None and not missing:
            self._end_goal(frame, outcome or "success")
        told = self._hide({**self._origin.said, **(said or {})})
        origin = Origin(format=FORMAT, said=told, steps=self._attempts())
        app = self._apps.most_common(1)[0][0] if self._apps else ""
        counters = CaptureCounters(secrets_hidden=self._hidden)
        self._recording.finish(
            missing=self._hide(missing),
            app=app,
            task=self.hide(self._task),
            outcome=outcome,
            outcome_reason=self._hide(reason),
            final_frame=frame,
            origin=origin,
            counters=counters,
        )
        if not self.steps:
            self._library.erase_demo(self.demo_id)
            return
        self._commit_elements()

    def _end_goal(self, frame: Frame, outcome: Literal["success", "failure"]) -> None:
        """Add the step that finishes the task, unless the last one does."""
        if self._last is None or isinstance(self._recording.step(self._last).action, FinishGoalAction):
            return
        end = finish_step(frame, position=(self.steps + 1) * POSITION_GAP, outcome=outcome, now_ns=now_ns())
        self.steps += 1
        self._recording.append_step(end)
        self._rows[end.id] = tuple(self._tried)
        self._tried, self._last = [], end.id

    # One step -------------------------------------------------------------------------------------------------------

    def _step(self, executed: ExecutedAction, action: Action) -> Step:
        observation, result = executed.observation, executed.result
        before = observation.frame
        self._recording.stage_image(observation.image, key=before.id)
        after = None
        if executed.after is not None and action.action_type != "finish_goal":
            after = frame_of_grab(executed.after, executed.after.image).but(covered=before.covered)
            self._recording.stage_image(executed.after.image, key=after.id)
        elements = self._observe(observation)
        pointer = executed.pointer
        step = Step(
            id=new_id("step"),
            position=(self.steps + 1) * POSITION_GAP,
            action=action,
            pointer=pointer,
            before=before,
            after=after,
            started_ns=executed.started_ns,
            ended_ns=executed.ended_ns,
            quality=_quality(executed),
            window=_window(executed),
            focused=_focused(executed),
        )
        step = bind(step, elements)
        if executed.result.clicked_first or not _same_focus(executed.focused, observation.focused):
            there = _keyed(executed, elements)
            step = step.model_copy(update={"target_uid": None if there is None else there.uid})
        aimed = self._element(result.element_id, observation)
        if aimed is not None and result.strategy not in {None, "bbox"}:
            step = step.model_copy(update={"target_uid": aimed.uid})
        return step

    def _rationale(self, executed: ExecutedAction, given: Rationale | None) -> Rationale | None:
        """Why it was done, without what this action itself hides."""
        thought = executed.shown.reasoning.strip()
        if given is None and self._author is not None and thought:
            given = Rationale(thought=thought, provenance=self._author)
        if given is not None and (text := executed.response.action.typed_text) and executed.secret:
            return _mapped(given, {text: executed.secret})
        return given

    def _hide_from_now(self, text: str, instead: str) -> None:
        for written in _written(text) if len(text) >= _MIN_HIDDEN else ():
            if instead != NOT_TYPED or written not in self._secrets:
                self._secrets[written] = instead

    def _hide(self, data: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Plain JSON without the secrets that were typed so far, nor what may be one."""
        return _without(data, {**self._tracks, **self._secrets})

    @property
    def _typed(self) -> dict[str, str]:
        """What stands for each text that went into a secure field."""
        return {secret: instead for secret, instead in self._secrets.items() if instead != NOT_TYPED}

    def hide(self, text: str) -> str:
        """A text as it may be shown: without what went into a secure field during the run."""
        hidden: str = _without(text, self._typed)
        return hidden

    def hide_in(self, record: R) -> R:
        """The same for all texts of a record."""
        return _mapped(record, self._typed)

    def _clean_step(self, step: Step) -> Step:
        """The step as it may be stored by what is known now."""
        if self._secrets:
            data = step.to_json()
            texts = mapped(Step, {name: data[name] for name in ("action", "window", "note")}, self.hide)
            texts["action"] = _without(texts["action"], self._tracks)
            focused = self._clean_focused(step.focused)
            step = Step.model_validate({**data, **texts, "rationale": None}).model_copy(
                update={"focused": focused, "rationale": step.rationale}
            )
        if step.rationale is None or step.before is None:
            return step
        by_uid = {element.uid: element for element in map(self._clean_seen, self._elements[step.before.id])}
        basis = basis_of(
            task=self.hide(self._task),
            action=step.action,
            target=by_uid.get(step.target_uid or ""),
            end_target=by_uid.get(step.end_uid or ""),
        )
        rationale = _mapped(step.rationale, {**self._tracks, **self._secrets})
        return step.model_copy(update={"rationale": rationale.model_copy(update={"basis": basis})})

    def _clean_focused(self, element: AccessibleElement | None) -> AccessibleElement | None:
        """Roles and states are words of the system, and no text of anybody."""
        if element is None:
            return None
        return element.model_copy(update={"name": self.hide(element.name), "value": self.hide(element.value)})

    def _clean_seen(self, element: Element) -> Element:
        typed = self._typed
        if not typed:
            return element
        return element.but(
            text=_without(element.text, typed),
            placeholder=_without(element.placeholder, typed),
            evidence=tuple(one.but(text=_without(one.text, typed)) for one in element.evidence),
            track_id=self._tracks.get(element.track_id or "", element.track_id),
        )

    def _name_tracks(self) -> None:
        """Name those elements anew, over the whole run, whose ids were made from a text that holds a secret."""
        for elements in self._elements.values() if self._typed else ():
            for one in elements:
                if one.track_id and one.text and one.track_id not in self._tracks and self.hide(one.text) != one.text:
                    self._tracks[one.track_id] = f"{one.type}_secret_{len(self._tracks)}"

    # Elements -------------------------------------------------------------------------------------------------------

    def _observe(self, observation: LiveObservation) -> tuple[Element, ...]:
        """The elements of a picture: those of the first time that it was seen."""
        found = tuple(
            Element.trusted({name: getattr(one, name) for name in Element.model_fields}) for one in observation.elements
        )
        return self._elements.setdefault(observation.frame.id, found)

    def _element(self, number: int | None, observation: LiveObservation) -> Element | None:
        """The stored element that has this number in an observation."""
        seen = next((one for one in observation.elements if one.number == number), None)
        if seen is None:
            return None
        known = self._elements[observation.frame.id]
        found = next((one for one in known if one.uid == seen.uid), None)
        return found or next((one for one in known if iou(one.box, seen.box) >= _SAME_IOU), None)

    def _commit_elements(self) -> None:
        self._name_tracks()
        changes: list[Change] = []
        kept = {frame.id for frame in self._library.demo(self.demo_id).frames()}
        for frame, elements in self._elements.items():
            if not elements or frame not in kept:
                continue
            changes += [Change.between(None, self._clean_seen(element)) for element in elements]
            changes.append(Change.of_parsed(frame, parsed=True))
        if changes:
            edit = Edit(
                id=new_id("edit"),
                label=f"Find elements: {counted(len(self._elements), 'screen')}",
                changes=tuple(changes),
                provenance=by_program("model", self._finder, reason="observed"),
            )
            self._library.commit(self.demo_id, edit)

    # The log of answers ---------------------------------------------------------------------------------------------

    @property
    def _origin(self) -> Origin:
        origin = self._recording.head.origin
        assert origin is not None
        return origin

    def _attempts(self) -> dict[str, tuple[dict[str, Any], ...]]:
        """The rows by step; what was tried after the last step stands with that one."""
        rows = dict(self._rows)
        if self._tried and self._last is not None:
            rows[self._last] = (*rows[self._last], *self._tried)
        return {step: tuple(self._hide(row) for row in told) for step, told in rows.items()}

    def _write_hidden(self) -> None:
        """Store those steps again in which something else is hidden by now than when they were stored."""
        if self._secrets == self._hid:
            return
        self._hid = dict(self._secrets)
        self._name_tracks()
        for key, step in self._steps.items():
            clean = self._clean_step(step)
            if self._recording.step(key) != clean:
                self._recording.update_step(clean)

    def _write_rows(self) -> None:
        self._write_hidden()
        origin = Origin(format=FORMAT, said=self._hide(self._origin.said), steps=self._attempts())
        self._recording.update_head(task=self.hide(self._task), origin=origin)


def _quality(executed: ExecutedAction) -> CaptureQuality:
    seen_ns = executed.confirmed_ns or executed.observation.frame.grab_ended_ns
    after = executed.after
    return CaptureQuality(
        frame_age_ms=round(max(0, executed.started_ns - seen_ns) / 1e6, 3),
        settle_ms=None if after is None else round(max(0, after.ended_ns - executed.ended_ns) / 1e6, 3),
    )


def _focused(executed: ExecutedAction) -> AccessibleElement | None:
    """What had the input when the keys were sent; for all else, and where nothing was clicked, what was observed."""
    if executed.focused is not None or executed.result.clicked_first:
        return executed.focused
    return executed.observation.focused


def _same_focus(there: AccessibleElement | None, observed: AccessibleElement | None) -> bool:
    """Whether what had the input when keys were sent, as far as that is known, is what had it in the observation."""
    if there is None or observed is None:
        return there is None
    return (there.role, there.name, there.box) == (observed.role, observed.name, observed.box)


def _keyed(executed: ExecutedAction, elements: Sequence[Element]) -> Element | None:
    """The element that keys went to: the one that was clicked for them, else the one that had the input."""
    if executed.result.clicked_first and executed.result.point is not None:
        return element_at(elements, Point(*executed.result.point))
    if executed.focused is None or executed.focused.box is None:
        return None
    box = executed.observation.frame.space.to_pixels(executed.focused.box)
    found = element_at(elements, box.center)
    return found if found is not None and iou(found.box, box) >= _HOLDS_INPUT_IOU else None


def _window(executed: ExecutedAction) -> WindowInfo | None:
    """The window that was acted in: the one under the pointer, else the one with the input."""
    observation, pointer = executed.observation, executed.pointer
    found = observation.window if pointer is None else observation.top_window(pointer.at) or observation.window
    return None if found is None else WindowInfo(title=found.title, app=found.app, box=found.box)


def _done(executed: ExecutedAction) -> tuple[Action | None, str]:
    """The action as far as it was done, and a note where it was broken off; None where nothing of it was."""
    action, sent = executed.shown.action, executed.result.sent
    if executed.result.performed:
        return action, ""
    if not sent:
        return None, ""
    if isinstance(action, PressKeyAction):
        return action.replace(presses=sent), f"Broken off after {sent} of {action.presses} times."
    text = executed.response.action.typed_text
    if text is None:
        return None, ""
    whole = "" if executed.secret else f" after {sent} of {counted(len(text), 'character')}"
    return action.replace(text_to_type=executed.secret or text[:sent], submit=False), f"Broken off{whole}."


def _written(text: str) -> set[str]:
    """A text as it may stand in an answer: as it is, and as JSON has it."""
    return {text, *(json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (True, False))}


def _without(data: Any, secrets: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON value
    """Plain JSON with another text wherever a secret stands, the longest first; what stands for one is left alone."""
    if not secrets:
        return data
    any_of = "|".join(re.escape(one) for one in sorted(secrets, key=len, reverse=True))
    pattern = re.compile(f"{STAND_IN.pattern}|{any_of}")
    return _replaced(data, partial(pattern.sub, lambda found: secrets.get(found.group(), found.group())))


def _replaced(data: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(data, str):
        return change(data)
    if isinstance(data, Mapping):
        return {key: _replaced(value, change) for key, value in cast("Mapping[str, Any]", data).items()}
    if isinstance(data, (list, tuple)):
        return [_replaced(value, change) for value in cast("Sequence[Any]", data)]
    return data


def _mapped(record: R, secrets: Mapping[str, str]) -> R:
    """A record with another text wherever a secret stands in one of its texts."""
    if not secrets:
        return record
    return type(record).model_validate(
        mapped(type(record), record.model_dump(mode="json"), partial(_without, secrets=secrets))
    )
