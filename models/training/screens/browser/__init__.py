"""Pages in headless Chromium, and the truth about what they show, read from their own document."""
