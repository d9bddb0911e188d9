"""What is said about elements, as forms, digits and habits; and whether an action and its element fit together."""
