"""The first demo pack, made all by itself: a practice app, a scripted person, and the whole line from there.

Like ``demopack_cli`` this package stands on top and may import every other one; nothing imports it but the command
and the tests.
"""
