"""Sets of screens in the forms of other programs, and back."""
