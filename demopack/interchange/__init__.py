"""Element annotations out to other programs and in again, each format with what it cannot carry."""
