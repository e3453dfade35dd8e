"""Reading and writing: model files, meshes, atomic saves. Files are untrusted."""
