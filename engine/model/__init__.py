"""What a mechanism is made of: immutable elements, each declared once."""
