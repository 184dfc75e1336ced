"""The contract of every role: the standard strategies keep it, wrong ones are found out."""
