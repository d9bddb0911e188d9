"""Looking a recording over: the strip on top, the film, the list of steps and what can be done to them."""
