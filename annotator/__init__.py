"""The app: a document of demos that is edited by commands. Only ``annotator.ui`` knows Qt."""
