"""Truth from widgets: what each kind of widget shows, and where."""
