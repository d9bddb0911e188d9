"""The settings page: generated from the settings model, searchable, saved as they are changed."""
