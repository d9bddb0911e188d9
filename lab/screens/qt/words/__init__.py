"""Words for made-up windows: labels, names, sentences and numbers in several languages."""
