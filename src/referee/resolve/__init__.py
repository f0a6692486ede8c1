"""Resolvers: what makes clusters of a text.

The package can be called, as `referee.resolve(text)`: a function of this name in `referee` would be hidden by
the package as soon as one of its modules is loaded.
"""

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """Resolve texts: `resolving.resolve`."""
        from referee.resolve.resolving import resolve

        return resolve(*arguments, **settings)


sys.modules[__name__].__class__ = _CallablePackage
