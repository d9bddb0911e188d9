"""Generated pages: forms, tables, mail, shops, dashboards, settings, dialogs."""

from __future__ import annotations

from lab.screens.web.source import WebSource

__all__ = ["WebSource"]
