"""What runs inside the drawing process; the only part of the screen factory that imports Qt."""
