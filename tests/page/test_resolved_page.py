"""The page of a resolved text."""

from __future__ import annotations

from referee.model import Cluster, Document, Mention
from referee.page.resolved import resolved_page


def test_a_text_that_is_written_from_right_to_left_is_laid_out_so() -> None:
    words = ["شارك", "أحمد", "في", "السباق", "لأنه", "سريع"]
    clusters = [Cluster("0", (Mention.at(1, 2), Mention.at(4, 5)))]
    page = resolved_page([Document.of("سباق", words, [(0, 6)], clusters)], "سباق")
    assert '<h1 dir="auto">سباق</h1>' in page
    assert '<p dir="auto">شارك <mark' in page
    assert '<li dir="auto"><mark' in page
