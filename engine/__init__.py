"""The engine of Kardan: models, their equations, and runs; no window. Notebooks `import kardan`."""

__version__ = "0.1.0"
