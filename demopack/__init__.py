"""demopack: record demonstrations, correct them, explain them, export them as demo packs.

Third parties import only this package; ``recorder``, ``annotator``, ``models`` and ``player`` are internal.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
