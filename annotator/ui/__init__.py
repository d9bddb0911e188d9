"""User interface of the app, on Qt."""
