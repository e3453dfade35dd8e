"""Warnings about gimbal lock."""
