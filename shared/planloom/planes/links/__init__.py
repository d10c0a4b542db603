"""Links between planes: the only package that imports more than one of them."""
