"""Trained weights in files: safetensors, ONNX graphs, folders that run without torch."""
