"""Training of models: all that needs torch or onnx."""
