"""Trees compared, node by node, with those that the original programs gave."""
