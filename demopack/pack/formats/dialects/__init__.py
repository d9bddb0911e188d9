"""Other programs' vocabularies of actions; each module puts one action into one of them and says what that loses."""
