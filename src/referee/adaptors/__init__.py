"""Coreference scores as metrics of other libraries: scikit-learn, torchmetrics, Hugging Face evaluate.

Each adaptor is a file of its own, and imports its library; spaCy's component scores by itself, in
`referee.resolvers.spacy_component`.
"""

from pathlib import Path

COREFERENCE = str(Path(__file__).parent / "coreference")
"""The folder that `evaluate.load` takes."""
