"""Curves over time: how they are drawn, what is read off them, and their colours."""
