"""Runtimes that load many files in one process, which is started again when a file ends it."""
import resource
import select
import subprocess
import sys

# Reads paths from standard input and answers each with LOADS, or with why it does not load.
JUDGE = r'''
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
out = os.fdopen(os.dup(1), "w")
null = os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1), os.dup2(null, 2)
def onnx(path):
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
def tflite(path):
    from ai_edge_litert.interpreter import Interpreter
    Interpreter(model_path=path).allocate_tensors()
def mlmodel(path):
    from coremltools.proto import Model_pb2
    model = Model_pb2.Model()
    model.ParseFromString(open(path, "rb").read())
    assert model.WhichOneof("Type"), "no type"
def xml(path):
    import openvino
    core = openvino.Core()
    core.compile_model(core.read_model(path), "CPU")
def numpy(path):
    import numpy as np
    data = np.load(path)
    if path.endswith(".npz"):
        for name in data: data[name]
def archive(path):
    import zipfile
    assert zipfile.ZipFile(path).testzip() is None, "a wrong checksum"
def mlirb(path):
    from coreai.authoring import AIModelAsset
    AIModelAsset.load(os.path.dirname(path)).program
judges = {".onnx": onnx, ".tflite": tflite, ".mlmodel": mlmodel, ".xml": xml, ".npz": numpy, ".npy": numpy,
          ".jit": archive, ".pt": archive, ".mlirb": mlirb}
for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        judges[os.path.splitext(path)[1]](path)
        answer = "LOADS"
    except BaseException as error:
        answer = "refused: " + " ".join(str(error).split())[:160]
    print(answer, file=out, flush=True)
'''


class Judge:
    """A process that loads one file after the other, and is started again when a file ends it."""

    def __init__(self):
        self.process = None

    def verdict(self, path):
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        if select.select([self.process.stdout], [], [], 40)[0]:
            answer = self.process.stdout.readline().strip()
            if answer:
                return answer
        self.process.kill()
        status = self.process.wait()
        self.process = None
        return f"ended by signal {-status}" if status < 0 else "no answer in 40 s"

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
