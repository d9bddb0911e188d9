"""Keys of the window and its pages as the user wants them; the editor's own table is with the editor."""
