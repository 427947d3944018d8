"""The server ends in time whatever its threads do."""

import subprocess
import sys
import time

_SCRIPT = """
import re, threading, types
import uvicorn
import backend.main as main

main._LAST_SECONDS = 1
nothing = types.SimpleNamespace(fire=lambda: None, close=lambda: None)
service = types.SimpleNamespace(stopping=threading.Event(), changes=nothing, lanes=nothing)
server = main.Server(uvicorn.Config("no:app"), service, None, idle_seconds=0)
server.stop()
print("stopping", flush=True)
re.match("(a|aa)+$", "a" * 90 + "b")
"""


def test_a_thread_that_keeps_the_interpreter_cannot_keep_the_process() -> None:
    server = subprocess.Popen([sys.executable, "-c", _SCRIPT], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == "stopping\n"
        began = time.monotonic()
        assert server.wait(timeout=30) != 0
        assert time.monotonic() - began < 10
    finally:
        server.kill()
        server.communicate()
