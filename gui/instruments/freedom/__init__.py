"""How a model can move: free motions to wiggle, classes and repairs."""
