"""What a goal states: read by a model or by rules, verified against its words, corrected by callers."""
