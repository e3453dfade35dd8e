"""Instruments beside the stage: panels that explain what a model does."""
