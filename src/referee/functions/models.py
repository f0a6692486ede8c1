"""referee.models: the models of the neural resolver that are installed."""

from __future__ import annotations

from referee.resolvers.neural.models import InstalledModel, installed_models


def models() -> dict[str, InstalledModel]:
    """List the models of the neural resolver that are installed; nothing of them is loaded.

    Returns:
        The models by name, each with its folder and version.

    Raises:
        FormatError: If a model's description cannot be read.

    Examples:
        >>> import referee
        >>> all(model.folder.is_dir() for model in referee.models().values())
        True
    """
    return installed_models()
