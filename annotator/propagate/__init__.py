"""Propagation of elements to other pictures, by pixels and values: carried, copied, from templates, along tracks."""
