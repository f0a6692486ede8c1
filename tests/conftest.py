"""How Hypothesis runs: no deadlines, for machines are shared; the same examples every time on CI."""

import os

from hypothesis import settings

from open_page import chromium, page, sample_page, site, started_browser  # noqa: F401 fixtures

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
