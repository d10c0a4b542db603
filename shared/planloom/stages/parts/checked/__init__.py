"""The checks of the former stages, over the shapes of their results."""
