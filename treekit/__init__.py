"""treekit composes decision-tree algorithms from small parts, named in a TOML recipe."""
