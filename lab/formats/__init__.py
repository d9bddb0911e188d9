"""Sets of labelled screens in the forms of other training programs."""
