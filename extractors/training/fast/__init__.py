"""How the fast recogniser is trained: see README.md."""
