"""The recipe of the network that tells scripts apart: made-up lines, a small convolutional network, its export."""
