"""Page builders: each a pure function of a ``Maker`` to the HTML of a page's body."""
