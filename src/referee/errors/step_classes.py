"""The classes of steps from response to key (Kummerfeld & Klein 2013), and the causes of wrong links.

A step counts corrections and a cause counts links, so their numbers differ, and so do their names.
"""

from __future__ import annotations

from referee.errors.link_errors import PRECISION, RECALL, SIDES

SPAN, CONFLATED, DIVIDED = "span error", "conflated entities", "divided entity"
EXTRA_MENTION, EXTRA_ENTITY = "extra mention", "extra entity"
MISSING_ENTITY, MISSING_MENTION = "missing entity", "missing mention"

CAUSES = {  # the step that corrects a link → what is wrong with the link
    SPAN: "boundary",
    CONFLATED: "entities merged",
    EXTRA_MENTION: "mention invented",
    EXTRA_ENTITY: "entity invented",
    MISSING_ENTITY: "entity missed",
    MISSING_MENTION: "mention missed",
    DIVIDED: "entity split",
}
SIDES_OF = {  # the step → the side of the links that it corrects
    SPAN: SIDES,
    **dict.fromkeys((CONFLATED, EXTRA_MENTION, EXTRA_ENTITY), (PRECISION,)),
    **dict.fromkeys((MISSING_ENTITY, MISSING_MENTION, DIVIDED), (RECALL,)),
}
