"""Codecs: one module for each vocabulary or file format of another program.

A codec works on the types of :mod:`demopack.domain` and never reads a pack.
"""
