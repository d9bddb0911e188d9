"""The panel on the right: element, action, rationale."""
