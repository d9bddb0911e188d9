# /// script
# requires-python = ">=3.11"
# dependencies = ["datasets==4.0.*", "pillow>=11"]
# ///
"""``huggingface`` in datasets 4.0, which trainers still ask for: it has no type for JSON."""

from __future__ import annotations

from huggingface_5 import main

if __name__ == "__main__":
    main()
