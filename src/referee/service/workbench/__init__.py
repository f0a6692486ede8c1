"""The workbench: documents that people read and correct in a browser, while the score is shown.

`documents` are open with their journals, `scoring` scores them as they are, `bench` holds all of it, `routes`
answers the page.
"""
