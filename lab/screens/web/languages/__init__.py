"""Words and phrases of a few languages, made for this factory: what stands on buttons, in lists and in letters."""
