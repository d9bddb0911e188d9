"""Which elements of a screen are like another one, by their pixels or by where they stand; knows no window."""
