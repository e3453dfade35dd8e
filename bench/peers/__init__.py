"""Other multibody programs on the same models, in the same run; those that are installed."""
