"""UiPath's planner: a registry of actions, the prompt that is made from it, and the memory it keeps."""
