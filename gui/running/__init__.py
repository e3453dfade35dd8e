"""Running models: in threads of their own, to an end or live."""
