"""What is wrong with a response, link by link and entity by entity, and what several systems share.

`study.analyse` finds the errors (Martschat & Strube 2014), `selection` keeps some, `listing` lists and
`sheets` counts them. `transformations` is the second view (Kummerfeld & Klein 2013), `link_causes` joins
the two.
"""
