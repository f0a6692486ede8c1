"""The service: `referee serve`, what keeps strangers out of it, and its client.

`create_app` makes the application, into which the workbench's routes are mounted too. Every request passes
the guard (`guard.py`) before any route sees it.
"""
