"""Knowledge of the field, kept in plain tables: what projects of a kind are made of, and what goes wrong in them."""
