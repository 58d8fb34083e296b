"""A runtime for example-service: loads model.onnx with onnxruntime and answers each line of numbers.

    example-service STORE KEY MODEL -- python3 Examples/Service/runtime.py
"""

import os
import sys

import numpy
import onnxruntime

session = onnxruntime.InferenceSession(
    os.path.join(os.environ["MODEL_DIR"], "model.onnx"), providers=["CPUExecutionProvider"]
)
name = session.get_inputs()[0].name
for line in sys.stdin:
    values = numpy.array([[float(word) for word in line.split()]], dtype=numpy.float32)
    (result,) = session.run(None, {name: values})
    print(" ".join(f"{value:g}" for value in result[0]), flush=True)
