"""The numerical microscope: one step opened up, with its equations by name and its matrix as a picture."""
