"""How everything executes: the scheduler of steps, for any plane."""
