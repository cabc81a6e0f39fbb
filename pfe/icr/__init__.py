"""In-context retrieval: the method libraries, and how one is put in front of a problem."""
