"""Writes ``assets/schema`` anew after a model was changed; look at the difference before you commit it."""

from __future__ import annotations

from demopack.pack.schemas import write_schemas

if __name__ == "__main__":
    write_schemas()
