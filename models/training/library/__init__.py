"""A set of screens made of what a person approved in a library."""
