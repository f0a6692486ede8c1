"""Annotations that people correct: edits as pure functions, and the journal that keeps them.

`state` is the annotation of one document with ids that stay, `edits` changes it, `history` undoes and redoes,
`suggestions` compares it with what a system found, and `journal` and `reading` keep it in a file.
"""

from referee.corrections.edits import EditError, edited
from referee.corrections.history import History, Step
from referee.corrections.reading import Corrections, read_corrections
from referee.corrections.state import State, state_of
from referee.corrections.suggestions import Suggestion, suggestions_of

__all__ = [
    "Corrections",
    "EditError",
    "History",
    "State",
    "Step",
    "Suggestion",
    "edited",
    "read_corrections",
    "state_of",
    "suggestions_of",
]
