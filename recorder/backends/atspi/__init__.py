"""Linux's accessibility interface, AT-SPI, over D-Bus."""
