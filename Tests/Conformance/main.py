#!/usr/bin/env python3
"""Checks a TUF client against repositories that python-tuf makes.

    main.py CLIENT [WORD…]      only the checks whose names have one of the words

CLIENT speaks the command line of the TUF project's conformance suite. TUF_SAMPLES names the folder `repository_data` of
python-tuf's tests. The exit code is 1 if a check failed.
"""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from case import run_checks  # noqa: E402
from simulator import Server  # noqa: E402

# Whatever is there registers its checks: none can be forgotten.
for name in sorted(os.listdir(HERE)):
    if name.endswith(".py") and name != "main.py":
        importlib.import_module(name.removesuffix(".py"))

if len(sys.argv) < 2:
    sys.exit(__doc__)
sys.exit(1 if run_checks(Server(), sys.argv[1], sys.argv[2:]) else 0)
