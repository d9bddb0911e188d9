"""The commands: thin skins over the library calls of the same meaning, and the one place that imports everything."""
