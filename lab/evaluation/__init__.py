"""How good the models are: what they find on screens with known truth, counted and drawn."""
