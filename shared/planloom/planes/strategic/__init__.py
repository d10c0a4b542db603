"""Strategic plans: a goal in prose becomes a report."""
