"""What a model answered, in whichever dialect, back into LLMResponses; and what to tell it when that fails."""
