"""The command line, as a person or a script meets it."""
