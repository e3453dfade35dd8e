"""Abuse of the whole program, seeded and counted: hostile files, meshes, events, kills, commands, disks."""
