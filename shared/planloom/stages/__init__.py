"""The pipeline, in order, on one screen."""
