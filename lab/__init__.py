"""The laboratory: makes and measures the weights that are shipped. No part of the wheel; nothing imports it."""
