"""Robot descriptions: URDF files become models, and trees are written as URDF and MJCF."""
