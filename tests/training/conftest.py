"""These tests need torch and onnx: `make test-training` has them, and other runs leave this folder out."""

from __future__ import annotations

from importlib.util import find_spec

NEEDED = ("torch", "onnx", "onnxruntime", "safetensors", "tokenizers", "matplotlib")
MISSING = [name for name in NEEDED if find_spec(name) is None]

collect_ignore_glob = ["*"] if MISSING else []


def pytest_report_header() -> str:
    """Report that the folder is left out."""
    return f"tests/training is left to make test-training: no {', '.join(MISSING)}" if MISSING else ""
