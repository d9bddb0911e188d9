"""The list of elements with its search, the review of elements, and the statistics."""
