"""The prompt for the step that is shown, in any dialect, to be read and copied."""
