"""What is wrong with a response, link by link and entity by entity, and what several systems share.

`links.analyse` finds the errors (Martschat & Strube 2014), `tables` and `common` count them,
`transformations` is the second view (Kummerfeld & Klein 2013), `hints` says what knowledge is missing.
"""
