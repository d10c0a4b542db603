"""What the stages are built from: the shapes of their answers, their outlines, and what several of them share."""
