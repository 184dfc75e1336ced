"""The worked examples of the five source decks, figure by figure."""
