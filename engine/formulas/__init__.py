"""Numbers as people type them: units, expressions, functions, and models with numbers in their place."""
