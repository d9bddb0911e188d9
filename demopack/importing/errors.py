"""What is wrong in a file from elsewhere: always with the file, the line, the field and the way out."""

from __future__ import annotations

from demopack.errors import BadInputError

__all__ = ["BadRowError", "bad_row"]


class BadRowError(BadInputError):
    """One row, step or file that cannot be read as it should.

    Attributes:
        file: inside the folder or the zip.
        line: from 1; 0 where the file has no lines of its own.
        field: which value is wrong, for instance ``traj[3].value.code``; may be empty.
        why: what is wrong, in a few words, without the place.
        code: a stable name of the kind of mistake.
    """

    def __init__(self, *, file: str, line: int, field: str, why: str, code: str, hint: str) -> None:
        parts = [file, f"line {line}" if line else "", f"the field {field}" if field else ""]
        where = ", ".join(part for part in parts if part)
        super().__init__(f"{where}: {why.rstrip('.')}.", hint=hint)
        self.file = file
        self.line = line
        self.field = field
        self.why = why
        self.code = code

    @property
    def place(self) -> str:
        """Where, for a report."""
        return ", ".join(part for part in (self.file, f"line {self.line}" if self.line else "", self.field) if part)


def bad_row(
    why: str, *, file: str, line: int = 0, field: str = "", code: str = "damaged", hint: str = ""
) -> BadRowError:
    """The error with the usual way out, where there is no better one."""
    return BadRowError(
        file=file,
        line=line,
        field=field,
        why=why,
        code=code,
        hint=hint or "Correct it in the file, or leave such rows out with --skip-bad; they are counted.",
    )
