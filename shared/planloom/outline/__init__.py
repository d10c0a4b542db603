"""What planloom can say of a goal without a model: an outline spine from its facts and a table of its kind."""
