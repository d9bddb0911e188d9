"""CAAP's prompts: demonstrations, the context, sections of reasoning, a guarded answer; and the prompt for reasons."""
