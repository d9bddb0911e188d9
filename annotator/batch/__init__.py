"""Batches over many screens: parsing, tightening, removal of duplicates, elements from accessibility."""
