"""Files with tasks and plans: records of the task bank, UFO's tasks and results, tables, manuals, how-to pages."""
