"""Settings are data: one tree, each field with a title and a description; the file holds only what differs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal, cast

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from demopack.atomic import write_text_atomic
from demopack.errors import BadInputError, NewerVersionError

__all__ = [
    "HotkeySettings",
    "LanguageSettings",
    "PlayerSettings",
    "PrivacySettings",
    "RecorderSettings",
    "Settings",
    "UiSettings",
    "VisionSettings",
    "cache_folder",
    "default_library_dir",
    "load_settings",
    "save_settings",
    "settings_path",
]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HotkeySettings(_Section):
    """Global keys while recording; they never become steps."""

    start_stop: str = Field(default="Ctrl+Alt+R", title="Start or stop", description="Start or stop a recording.")
    pause: str = Field(default="F8", title="Pause", description="Pause or resume the recording.")
    shot: str = Field(default="F9", title="Add a shot", description="Keep a picture of the screen as a step.")
    variable: str = Field(default="F10", title="Variable", description="Mark the text just typed as a variable.")
    note: str = Field(default="F11", title="Note", description="Write a note on the last step.")
    forget: str = Field(
        default="Ctrl+Alt+F", title="Forget", description="Remove what was just recorded from the disk for good."
    )
    panic: str = Field(
        default="Ctrl+Alt+P",
        title="Panic pause",
        description="Pause at once, and forget the last seconds and whatever was not yet saved.",
    )
    hold_text: str = Field(
        default="Ctrl+Alt+H",
        title="Hold back text",
        description="Hold back what is typed as a secret, or store it again.",
    )
    abort_replay: str = Field(default="Ctrl+Alt+Escape", title="Abort replay", description="Stop a replay at once.")


class PrivacySettings(_Section):
    """What a recording must never hold. Secure fields are left out wherever the system tells which they are."""

    accessibility: bool = Field(
        default=True,
        title="Ask programs about their fields",
        description="Through the system's accessibility interface: passwords are recognised and never stored.",
    )
    hold_unknown: bool = Field(
        default=False,
        title="Hold text back where fields are unknown",
        description="Where programs do not tell which fields hold passwords, everything typed counts as a secret.",
    )
    blocked_apps: tuple[str, ...] = Field(
        default=(),
        title="Blocked applications",
        description="Names; * stands for anything. Neither their pixels nor what is done in them is recorded.",
    )
    blocked_titles: tuple[str, ...] = Field(
        default=(), title="Blocked window titles", description="As for applications, by window title."
    )
    blocked_regions: tuple[tuple[int, int, int, int], ...] = Field(
        default=(),
        title="Blocked regions",
        description="Left, top, right and bottom edge, pixels of the virtual desktop; painted over, clicks left out.",
    )
    hide_secrets: bool = Field(
        default=True,
        title="Hide typed secrets",
        description="Typed text that looks like a key, a token or a card number is replaced by <secret:...>.",
    )
    forget_s: float = Field(
        default=30.0, gt=0, title="Forget", description="How far back the hot-key for forgetting reaches, s."
    )
    panic_forget_s: float = Field(
        default=5.0, ge=0, title="Panic pause forgets", description="How far back a panic pause forgets, s."
    )
    clipboard: bool = Field(
        default=False, title="Keep clipboard texts", description="What was copied or pasted is kept beside its step."
    )
    paste_as_text: bool = Field(
        default=False, title="Paste is typing", description="A paste becomes a typing step with the pasted text."
    )


class RecorderSettings(_Section):
    """How actions are captured and told apart. Times and distances are used where the OS does not tell its own."""

    double_click_ms: int = Field(
        default=500, gt=0, title="Double-click time", description="Longest time between two presses, ms."
    )
    double_click_px: int = Field(
        default=5, ge=0, title="Double-click distance", description="Largest distance between presses, px."
    )
    drag_px: int = Field(
        default=8, ge=1, title="Drag distance", description="A press that moves further is a drag, px."
    )
    text_pause_s: float = Field(
        default=5.0, gt=0, title="Typing pause", description="A longer pause starts a new typing step, s."
    )
    scroll_pause_s: float = Field(
        default=1.0, gt=0, title="Scroll pause", description="A longer pause starts a new scroll step, s."
    )
    frame_interval_ms: int = Field(
        default=80, ge=20, le=1000, title="Frame interval", description="Between frames while something happens, ms."
    )
    idle_interval_ms: int = Field(
        default=500,
        ge=50,
        le=5000,
        title="Idle frame interval",
        description="Between frames while nothing happens, ms.",
    )
    settle_timeout_ms: int = Field(
        default=3000, ge=0, title="Settle time-out", description="Longest wait for a screen to come to rest, ms."
    )
    long_press_ms: int = Field(
        default=800, ge=300, title="Long press", description="A press that is held longer is a long press, ms."
    )
    hover_ms: int = Field(
        default=400,
        ge=100,
        title="Hover time",
        description="A pointer that rests longer and makes the screen change has hovered, ms.",
    )
    wait_s: float = Field(
        default=2.0, gt=0, title="Wait", description="A longer rest during which the screen changes is a wait, s."
    )
    shot_delay_s: float = Field(
        default=0.0, ge=0, title="Shot delay", description="From the hot-key to the shot, so that a menu can be opened."
    )
    timeline: bool = Field(
        default=False, title="Keep a film", description="Keep every distinct picture of the screen beside the steps."
    )
    timeline_mb: int = Field(
        default=500, gt=0, title="Film size", description="No more pictures are added when the film is larger, MB."
    )
    hotkeys: HotkeySettings = HotkeySettings()
    privacy: PrivacySettings = PrivacySettings()


class VisionSettings(_Section):
    """How elements are found."""

    @model_validator(mode="before")
    @classmethod
    def _earlier_names(cls, data: Any) -> Any:  # noqa: ANN401 - whatever the JSON holds
        if not isinstance(data, dict):
            return cast("object", data)
        given = dict(cast("dict[str, Any]", data))
        # What overlaps more than "iou" was dropped before this could join it.
        given.pop("merge_iou", None)
        if "detector_weights" in given:
            weights = given.pop("detector_weights")
            return {"detector": "" if weights is None else str(weights), **given}
        return given

    detector: str = Field(
        default="shipped",
        title="Detector",
        description="shipped, the name of a model of your own, a model folder, or a YOLO weights file; empty for none.",
    )
    describer: str = Field(
        default="shipped",
        title="Describer",
        description="shipped, the name of a model of your own, or any Pix2Struct folder or hub name; empty for none.",
    )
    icons: str = Field(
        default="shipped",
        title="Icons",
        description="What names icons: shipped, the name of a model of your own, or a model folder; empty for none.",
    )
    describe_s: float = Field(
        default=1.0,
        gt=0,
        title="Describing time",
        description="Longest time to describe the elements of one screen, s; those near the pointer come first.",
    )
    incremental: bool = Field(
        default=True,
        title="Only what changed",
        description="Between screens of one demo only the changed regions are looked at again.",
    )
    confidence: float = Field(
        default=0.3, ge=0, le=1, title="Confidence", description="Detections below this are dropped."
    )
    iou: float = Field(
        default=0.4,
        ge=0,
        le=1,
        title="Overlap",
        description="Of two detections that overlap more, the weaker is dropped.",
    )
    ocr: bool = Field(default=True, title="Read text", description="Find lines of text with OCR.")
    ocr_confidence: float = Field(
        default=0.5, ge=0, le=1, title="Text confidence", description="Lines read with less are dropped."
    )


class LanguageSettings(_Section):
    """Which language model writes and judges. Its key is never kept here, only the name under which it is found."""

    model: str = Field(
        default="",
        title="Language model",
        description="Service and model, for instance openai:gpt-5-mini or ollama:qwen2.5vl:7b; empty for none.",
    )
    base_url: str = Field(
        default="",
        title="Address",
        description="Of any server that speaks OpenAI's protocol, with its /v1; empty for the service's own.",
    )
    key: str = Field(
        default="",
        title="Name of the key",
        description="The environment variable or key ring entry that holds it; empty for the service's usual name.",
    )
    sees: Literal["auto", "yes", "no"] = Field(
        default="auto", title="Sees pictures", description="Whether it gets pictures; auto goes by the model's name."
    )
    structured: Literal["auto", "schema", "prompt"] = Field(
        default="auto",
        title="Structured answers",
        description="By a strict schema, or asked for in the prompt; auto asks when the server knows no schemas.",
    )
    in_flight: int = Field(
        default=4, ge=1, le=64, title="Requests at once", description="More than these wait for their turn."
    )
    timeout_s: float = Field(
        default=120.0, gt=0, title="Time-out", description="Longest wait for one answer before it is asked again, s."
    )
    budget: float = Field(
        default=5.0,
        ge=0,
        title="Budget",
        description="Dollars for everything that is asked in one library; nothing is sent that could pass it.",
    )
    input_price: float = Field(
        default=-1.0,
        ge=-1,
        title="Price of questions",
        description="Dollars for a million tokens; -1 for the published price, and for nothing on your own machines.",
    )
    output_price: float = Field(
        default=-1.0,
        ge=-1,
        title="Price of answers",
        description="Dollars for a million tokens; -1 as for questions.",
    )


class PlayerSettings(_Section):
    """How a replay moves."""

    pause_s: float = Field(default=0.15, ge=0, title="Pause", description="Between two steps, s.")
    settle_timeout_s: float = Field(
        default=5.0, gt=0, title="Settle time-out", description="Longest wait for a screen to come to rest, s."
    )
    match_threshold: float = Field(
        default=0.95,
        ge=0,
        le=1,
        title="Match",
        description="Share of equal pixels that counts as the recorded screen.",
    )
    pointer_px_s: float = Field(
        default=3000.0, gt=0, title="Pointer speed", description="How fast the pointer travels, px/s."
    )
    typing_interval_ms: float = Field(
        default=10.0, ge=0, title="Typing interval", description="Least time between two characters, ms."
    )
    corner_px: int = Field(
        default=4, ge=1, title="Corner", description="Pushing the pointer this close to a corner stops a replay, px."
    )


class UiSettings(_Section):
    """How the app looks."""

    theme: Literal["system", "light", "dark", "contrast"] = Field(
        default="system", title="Theme", description="Light, dark, high contrast, or as the system."
    )
    language: Literal["system", "en", "de"] = Field(
        default="system", title="Language", description="English, German, or as the system; from the next start on."
    )
    scale: int = Field(
        default=100,
        ge=100,
        le=300,
        title="Size",
        description="Of everything in the windows, percent: 100 to 300; from the next start on.",
    )
    read_texts: bool = Field(
        default=True,
        title="Read texts and icons of new boxes",
        description="What is written in a box that was drawn or changed is filled in, and a new icon gets its name, "
        "unless you wrote it.",
    )
    known_looks: bool = Field(
        default=True,
        title="Name icons that are known",
        description="Suggestions of the same look get the name that you gave an icon, here and on later screens.",
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
