"""Finding one's way: gallery, first steps, keys, about."""
