"""The task bank: task-plan records, made concrete on documents, done, judged, and turned into training data."""
