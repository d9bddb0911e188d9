"""Generated pages: forms, tables, mail, shops, dashboards, settings, dialogs."""
