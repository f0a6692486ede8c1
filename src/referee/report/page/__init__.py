"""The report: one HTML file with scores, errors and every document's text, for any browser, without a network.

It is made in three steps, each of which can be used and tested alone: corpora → a plain value (`data`), the
value → HTML (`render`), and in the browser HTML → pictures (`script/`, `style/`).
"""
