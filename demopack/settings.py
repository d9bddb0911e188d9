"""Settings are data: one tree, each field with a title and a description; the file holds only what differs."""

# ruff: noqa: FBT003 - a default of True or False
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final, Literal, cast

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from demopack.atomic import write_text_atomic
from demopack.errors import BadInputError, NewerVersionError


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _setting(default: Any, title: str, description: str, **limits: Any) -> Any:  # noqa: ANN401 - of any type
    """A field of a section; ``limits`` as pydantic names them."""
    return Field(default=default, title=title, description=description, **limits)


class HotkeySettings(_Section):
    """Global keys while recording; they never become steps."""

    start_stop: str = _setting("Ctrl+Alt+R", "Start or stop", "Start or stop a recording.")
    pause: str = _setting("F8", "Pause", "Pause or resume the recording.")
    shot: str = _setting("F9", "Add a shot", "Keep a picture of the screen as a step.")
    variable: str = _setting("F10", "Variable", "Mark the text just typed as a variable.")
    note: str = _setting("F11", "Note", "Write a note on the last step.")
    forget: str = _setting("Ctrl+Alt+F", "Forget", "Remove what was just recorded from the disk for good.")
    panic: str = _setting(
        "Ctrl+Alt+P", "Panic pause", "Pause at once, and forget the last seconds and whatever was not yet saved."
    )
    hold_text: str = _setting("Ctrl+Alt+H", "Hold back text", "Hold back what is typed as a secret, or store it again.")
    abort_replay: str = _setting("Ctrl+Alt+Escape", "Abort replay", "Stop a replay at once.")


class PrivacySettings(_Section):
    """What a recording must never hold. Secure fields are left out wherever the system tells which they are."""

    accessibility: bool = _setting(
        True,
        "Ask programs about their fields",
        "Through the system's accessibility interface: what is typed into a field that a program reports as a password "
        "field is stored as <secret:...>. The self-test before a recording says whether programs answer.",
    )
    hold_unknown: bool = _setting(
        False,
        "Hold text back where fields are unknown",
        "Where programs do not tell which fields hold passwords, everything typed counts as a secret.",
    )
    blocked_apps: tuple[str, ...] = _setting(
        (),
        "Blocked applications",
        "Names; * stands for anything. Neither their pixels nor what is done in them is recorded.",
    )
    blocked_titles: tuple[str, ...] = _setting((), "Blocked window titles", "As for applications, by window title.")
    blocked_regions: tuple[tuple[int, int, int, int], ...] = _setting(
        (),
        "Blocked regions",
        "Left, top, right and bottom edge, pixels of the virtual desktop; painted over, clicks left out.",
    )
    hide_secrets: bool = _setting(
        True,
        "Hide typed secrets",
        "Typed text that looks like a key, a token or a card number is replaced by <secret:...>.",
    )
    forget_s: float = _setting(30.0, "Forget", "How far back the hot-key for forgetting reaches, s.", gt=0)
    panic_forget_s: float = _setting(5.0, "Panic pause forgets", "How far back a panic pause forgets, s.", ge=0)
    clipboard: bool = _setting(False, "Keep clipboard texts", "What was copied or pasted is kept beside its step.")
    paste_as_text: bool = _setting(False, "Paste is typing", "A paste becomes a typing step with the pasted text.")


class RecorderSettings(_Section):
    """How actions are captured and told apart. Times and distances are used where the OS does not tell its own."""

    double_click_ms: int = _setting(500, "Double-click time", "Longest time between two presses, ms.", gt=0)
    double_click_px: int = _setting(5, "Double-click distance", "Largest distance between presses, px.", ge=0)
    drag_px: int = _setting(8, "Drag distance", "A press that moves further is a drag, px.", ge=1)
    text_pause_s: float = _setting(5.0, "Typing pause", "A longer pause starts a new typing step, s.", gt=0)
    scroll_pause_s: float = _setting(1.0, "Scroll pause", "A longer pause starts a new scroll step, s.", gt=0)
    frame_interval_ms: int = _setting(
        80, "Frame interval", "Between frames while something happens, ms.", ge=20, le=1000
    )
    idle_interval_ms: int = _setting(
        500, "Idle frame interval", "Between frames while nothing happens, ms.", ge=50, le=5000
    )
    settle_timeout_ms: int = _setting(3000, "Settle time-out", "Longest wait for a screen to come to rest, ms.", ge=0)
    long_press_ms: int = _setting(800, "Long press", "A press that is held longer is a long press, ms.", ge=300)
    hover_ms: int = _setting(
        400, "Hover time", "A pointer that rests longer and makes the screen change has hovered, ms.", ge=100
    )
    wait_s: float = _setting(2.0, "Wait", "A longer rest during which the screen changes is a wait, s.", gt=0)
    shot_delay_s: float = _setting(
        0.0, "Shot delay", "From the hot-key to the shot, so that a menu can be opened.", ge=0
    )
    timeline: bool = _setting(False, "Keep a film", "Keep every distinct picture of the screen beside the steps.")
    timeline_mb: int = _setting(500, "Film size", "No more pictures are added when the film is larger, MB.", gt=0)
    trees: bool = _setting(
        True,
        "Keep what programs report",
        "Names, roles, values and places of what windows show, beside each step, where programs are asked at all.",
    )
    trees_mb: int = _setting(200, "Size of reports", "No more reports are kept when they are larger, MB.", gt=0)
    hotkeys: HotkeySettings = HotkeySettings()
    privacy: PrivacySettings = PrivacySettings()


class VisionSettings(_Section):
    """How elements are found."""

    @model_validator(mode="before")
    @classmethod
    def _without_merge_iou(cls, data: object) -> object:
        # What overlaps more than "iou" was dropped before this could join it.
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in cast("dict[str, object]", data).items() if name != "merge_iou"}

    detector: str = _setting(
        "shipped",
        "Detector",
        "shipped, the name of a model of your own, a model folder, or a YOLO weights file; empty for none.",
    )
    describer: str = _setting(
        "shipped",
        "Describer",
        "shipped, the name of a model of your own, or any Pix2Struct folder or hub name; empty for none.",
    )
    icons: str = _setting(
        "shipped",
        "Icons",
        "What names icons: shipped, the name of a model of your own, or a model folder; empty for none.",
    )
    describe_s: float = _setting(
        1.0,
        "Describing time",
        "Longest time to describe the elements of one screen, s; those near the pointer come first.",
        gt=0,
    )
    incremental: bool = _setting(
        True, "Only what changed", "Between screens of one demo only the changed regions are looked at again."
    )
    confidence: float = _setting(0.3, "Confidence", "Detections below this are dropped.", ge=0, le=1)
    iou: float = _setting(0.4, "Overlap", "Of two detections that overlap more, the weaker is dropped.", ge=0, le=1)
    ocr: bool = _setting(True, "Read text", "Find lines of text with OCR.")
    ocr_confidence: float = _setting(0.5, "Text confidence", "Lines read with less are dropped.", ge=0, le=1)
    tesseract: str = _setting(
        "tesseract",
        "Reader of other scripts",
        "The program Tesseract, which reads Cyrillic, Greek, Arabic, Hebrew, Korean and Devanagari: its name or path; "
        "empty for none.",
    )


class LanguageSettings(_Section):
    """Which language model writes and judges. Its key is never kept here, only the name under which it is found."""

    model: str = _setting(
        "",
        "Language model",
        "Service and model, for instance openai:gpt-5-mini or ollama:qwen2.5vl:7b; empty for none.",
    )
    base_url: str = _setting(
        "", "Address", "Of any server that speaks OpenAI's protocol, with its /v1; empty for the service's own."
    )
    key: str = _setting(
        "",
        "Name of the key",
        "The environment variable or key ring entry that holds it; empty for the service's usual name.",
    )
    sees: Literal["auto", "yes", "no"] = _setting(
        "auto", "Sees pictures", "Whether it gets pictures; auto goes by the model's name."
    )
    structured: Literal["auto", "schema", "prompt"] = _setting(
        "auto",
        "Structured answers",
        "By a strict schema, or asked for in the prompt; auto asks when the server knows no schemas.",
    )
    in_flight: int = _setting(4, "Requests at once", "More than these wait for their turn.", ge=1, le=64)
    timeout_s: float = _setting(120.0, "Time-out", "Longest wait for one answer before it is asked again, s.", gt=0)
    budget: float = _setting(
        5.0, "Budget", "Dollars for everything that is asked in one library; nothing is sent that could pass it.", ge=0
    )
    input_price: float = _setting(
        -1.0,
        "Price of questions",
        "Dollars for a million tokens; -1 for the published price, and for nothing on your own machines.",
        ge=-1,
    )
    output_price: float = _setting(
        -1.0, "Price of answers", "Dollars for a million tokens; -1 as for questions.", ge=-1
    )


_AS_IN_GENERAL: Final = "As for the language model in general; where nothing is said, the same."


class TaskAgentSettings(_Section):
    """Another language model for one part of a task run; what is left empty is as in ``language``.

    Its key is never kept here, only the name under which it is found.
    """

    model: str = _setting("", "Language model", _AS_IN_GENERAL)
    base_url: str = _setting("", "Address", _AS_IN_GENERAL)
    key: str = _setting("", "Name of the key", _AS_IN_GENERAL)
    sees: Literal["", "auto", "yes", "no"] = _setting("", "Sees pictures", _AS_IN_GENERAL)
    input_price: float = _setting(-1.0, "Price of questions", _AS_IN_GENERAL, ge=-1)
    output_price: float = _setting(-1.0, "Price of answers", _AS_IN_GENERAL, ge=-1)


class TaskSettings(_Section):
    """Who takes part in a run of tasks.

    Attributes:
        instantiation: chooses templates and makes tasks concrete.
        filter: says which of them can be done.
        evaluation: says which were done.
    """

    instantiation: TaskAgentSettings = TaskAgentSettings()
    filter: TaskAgentSettings = TaskAgentSettings()
    evaluation: TaskAgentSettings = TaskAgentSettings()


class PlayerSettings(_Section):
    """How a replay moves."""

    pause_s: float = _setting(0.15, "Pause", "Between two steps, s.", ge=0)
    settle_timeout_s: float = _setting(5.0, "Settle time-out", "Longest wait for a screen to come to rest, s.", gt=0)
    match_threshold: float = _setting(
        0.95, "Match", "Share of equal pixels that counts as the recorded screen.", ge=0, le=1
    )
    pointer_px_s: float = _setting(3000.0, "Pointer speed", "How fast the pointer travels, px/s.", gt=0)
    typing_interval_ms: float = _setting(10.0, "Typing interval", "Least time between two characters, ms.", ge=0)
    corner_px: int = _setting(4, "Corner", "Pushing the pointer this close to a corner stops a replay, px.", ge=1)


class UiSettings(_Section):
    """How the app looks."""

    theme: Literal["system", "light", "dark", "contrast"] = _setting(
        "system", "Theme", "Light, dark, high contrast, or as the system."
    )
    language: Literal["system", "en", "de"] = _setting(
        "system", "Language", "English, German, or as the system; from the next start on."
    )
    scale: int = _setting(
        100, "Size", "Of everything in the windows, percent: 100 to 300; from the next start on.", ge=100, le=300
    )
    read_texts: bool = _setting(
        True,
        "Read texts and icons of new boxes",
        "What is written in a box that was drawn or changed is filled in, and a new icon gets its name, "
        "unless you wrote it.",
    )
    known_looks: bool = _setting(
        True,
        "Name icons that are known",
        "Suggestions of the same look get the name that you gave an icon, here and on later screens.",
    )
    keys: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        title="Keys of the editor",
        description="By the names of actions, where they are not the usual ones; changed in the editor with F2.",
    )


class Settings(_Section):
    """Everything a user may set."""

    schema_version: Literal[1] = 1
    recorder: RecorderSettings = RecorderSettings()
    vision: VisionSettings = VisionSettings()
    language: LanguageSettings = LanguageSettings()
    tasks: TaskSettings = TaskSettings()
    player: PlayerSettings = PlayerSettings()
    ui: UiSettings = UiSettings()


def settings_path() -> Path:
    """``$DEMOPACK_SETTINGS`` if set, else ``settings.json`` in the platform's configuration folder."""
    given = os.environ.get("DEMOPACK_SETTINGS")
    return Path(given) if given else platformdirs.user_config_path("demopack") / "settings.json"


def default_library_dir() -> Path:
    """``$DEMOPACK_LIBRARY`` if set, else ``library`` in the platform's data folder."""
    given = os.environ.get("DEMOPACK_LIBRARY")
    return Path(given) if given else platformdirs.user_data_path("demopack") / "library"


def profiles_folder() -> Path:
    """Where profiles of launched browsers lie: ``$DEMOPACK_PROFILES``, or in the platform's data folder."""
    given = os.environ.get("DEMOPACK_PROFILES")
    return Path(given) if given else platformdirs.user_data_path("demopack") / "profiles"


def cache_folder() -> Path:
    """Where caches lie: ``$DEMOPACK_CACHE``, or the platform's folder for them."""
    given = os.environ.get("DEMOPACK_CACHE", "")
    return Path(given) if given else platformdirs.user_cache_path("demopack")


def load_settings(path: Path | None = None) -> Settings:
    """The user's settings over the defaults; the defaults where there is no file.

    Raises:
        BadInputError: the file is not JSON or has a wrong field; it names both.
        NewerVersionError: a newer demopack wrote it.
    """
    file = path or settings_path()
    if not file.exists():
        return Settings()
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        version = data.get("schema_version", 1)
        if isinstance(version, int) and version > 1:
            raise NewerVersionError(
                f"The settings in {file} were written by a newer demopack.",
                hint="Update demopack, or move the file away.",
            )
        return Settings.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(
            f"The setting {field} in {file} is wrong: {first['msg']}.", hint="Correct it, or remove the line."
        ) from error
    except (ValueError, AttributeError) as error:
        raise BadInputError(
            f"The settings file {file} is not JSON.", details=str(error), hint="Correct or remove it."
        ) from error


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write what differs from the defaults, atomically."""
    sparse = {
        "schema_version": settings.schema_version,
        **settings.model_dump(mode="json", exclude_defaults=True),
    }
    write_text_atomic(path or settings_path(), json.dumps(sparse, indent=2) + "\n", private=True)
