"""CSS frameworks, each as a table of classes and forms."""
