"""The screenshot with its boxes: one widget that paints in batches."""
