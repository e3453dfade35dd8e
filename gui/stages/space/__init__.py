"""The stage of models in space; VTK is known here alone."""
