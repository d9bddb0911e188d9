"""Many packs, or many demos of one: filtered, split, merged, compared, counted, versioned."""
