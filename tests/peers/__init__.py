"""Trees compared with those that other libraries grow on the spot."""
