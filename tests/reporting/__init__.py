"""Reports of comparisons: tables, plots, the page, and the files."""
