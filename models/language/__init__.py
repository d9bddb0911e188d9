"""Language models as writers and judges: prompts, requests within a budget, answers that are checked and logged."""
