"""Other programs' formats: one small module each, all of them pure functions over a pack's rows."""
