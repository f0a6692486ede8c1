"""The report: scores, errors and texts in one HTML file, for any browser, without a network.

It is made in three steps, each of which can be used and tested alone: corpora → a plain value (`data`), the
value → HTML (`render`), and in the browser HTML → pictures (`script/`, `style/`).
"""
