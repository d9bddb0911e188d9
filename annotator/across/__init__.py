"""What is known of one picture is taken to the next: carried over, copied, kept as templates, edited by track.

Everything here is arithmetic on pixels and values: no Qt, no library.
"""
