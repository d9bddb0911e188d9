"""The screen factory: pictures of screens with their exact truth, from four kinds of programs."""
