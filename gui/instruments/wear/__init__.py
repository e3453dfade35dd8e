"""The page of wear: what the contacts of a run lose, over time."""
