"""Rationales in the editor: ordering them, looking at how they stand, comparing writers, and their evidence."""
