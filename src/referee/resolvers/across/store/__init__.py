"""A store of texts on disk, whose entities and events span all of them, and to which texts are added."""
