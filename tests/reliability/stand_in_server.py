"""A server whose bridge to the cluster is the stand-in, and which tidies up every second; run
with the arguments of the backend.
"""

import sys

from backend import main
from backend.tasks import ray_pool

if __name__ == "__main__":
    ray_pool.BRIDGE = "tests.stand_in_bridge"
    main._TIDY_TICKS = 10
    sys.exit(main.main())
