"""A server whose bridge to the cluster is the stand-in; run with the arguments of the backend."""

import sys

from backend.main import main
from backend.tasks import ray_pool

if __name__ == "__main__":
    ray_pool.BRIDGE = "tests.stand_in_bridge"
    sys.exit(main())
