import os
import sys
from pathlib import Path

# What runs on the workers: this interpreter, and the modules beside this file.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
# Ray would otherwise install this environment again for every worker, when it was made by uv.
os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
