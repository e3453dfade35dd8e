"""The method and the coordinates of a run: those asked for, or those that suit the model."""
