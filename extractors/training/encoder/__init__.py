"""The recipe of the encoder; it needs torch, onnx and safetensors besides."""
