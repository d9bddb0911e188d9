"""Finding elements (``models.vision``) and explaining steps (``models.language``); frameworks load when called."""
