"""What programs compute from a spine: schedule, odds, money, load per role, order; and the findings that follow."""
