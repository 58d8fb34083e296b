"""Real runtimes, each load in a child process of its own: some crash instead of reporting."""
import importlib.util
import subprocess
import sys

loads = {
    "llama.cpp": (
        "xllamacpp",
        """
import os, sys, xllamacpp as x
p = x.CommonParams()
try: p.model.path = sys.argv[1]
except AttributeError: p.model = sys.argv[1]
p.n_ctx, p.n_parallel, p.warmup, p.n_gpu_layers = 64, 1, False, 0
try: p.fit_params = False
except Exception: pass
s = x.Server(p)
print("LOADED", flush=True)
os._exit(0)
""",
    ),
    "safetensors": (
        "safetensors",
        """
import sys
from safetensors import safe_open
with safe_open(sys.argv[1], "numpy") as file: list(file.keys())
print("LOADED")
""",
    ),
    "onnxruntime": (
        "onnxruntime",
        """
import sys, onnxruntime
onnxruntime.set_default_logger_severity(4)
onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
print("LOADED")
""",
    ),
    "litert": (
        "ai_edge_litert",
        """
import sys
from ai_edge_litert.interpreter import Interpreter
Interpreter(model_path=sys.argv[1]).allocate_tensors()
print("LOADED")
""",
    ),
}


def exists(name):
    return importlib.util.find_spec(loads[name][0]) is not None


def load(name, path):
    """Whether the runtime loads the file, and the last of what it says; a crash is no load."""
    try:
        run = subprocess.run(
            [sys.executable, "-c", "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
             + loads[name][1], str(path)],
            capture_output=True,
            timeout=40,
        )
    except subprocess.TimeoutExpired:
        return False, "timeout"
    words = (run.stdout + run.stderr).decode(errors="replace")
    return run.returncode == 0 and "LOADED" in words, words.strip()[-200:]
