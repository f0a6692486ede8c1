"""The service: `referee serve`, what keeps strangers out of it, and its client.

`create_app` makes the application, into which the workbench's routes are mounted too. Every request passes
the guard (`guard.py`) before any route sees it. The work is done in processes of its own (`lanes.py`,
`worker.py`) behind a fence (`fence.py`), so that input can neither block the server nor read its files.
"""
