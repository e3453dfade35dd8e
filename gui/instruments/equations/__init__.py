"""The page of equations: symbols and numbers of the open model, as it moves."""
