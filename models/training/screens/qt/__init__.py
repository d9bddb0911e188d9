"""Generated Qt windows in several styles; the one room beside the app's windows that imports Qt."""
