"""Generated pages: forms, tables, mail, shops, dashboards, settings, dialogs."""

from __future__ import annotations

from models.training.screens.web.source import WebSource

__all__ = ["WebSource"]
