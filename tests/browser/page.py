"""A page of headless Chromium, driven over its own debugging protocol.

Small on purpose: what a person does (click, type, press a key) becomes real input events, and every
address that the page asks for is written down.
"""

import base64
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
from websocket import WebSocket, WebSocketTimeoutException, create_connection

_SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--remote-debugging-port=0",
)  # fmt: skip
_CENTRE = """(() => {
  const fits = (e) => e.textContent.trim().startsWith(%s) && e.getClientRects().length;
  const match = [...document.querySelectorAll(%s)].filter(fits).at(%d);
  if (!match) return null;
  match.scrollIntoView({ block: "center" });
  const { x, y, width, height } = match.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()"""


_BOX = """(() => {
  const { x, y, width, height } = document.querySelector(%s).getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY, width, height };
})()"""
_MOMENT = 0.15  # seconds; a notebook moves its cells into view in several steps
_PATIENCE = 60.0  # seconds; on a busy machine


class Page:
    """One tab. Selectors are CSS; AssertionError when something does not come in time."""

    def __init__(self, chromium: str, folder: Path, *, size: tuple[int, int] = (1280, 900)) -> None:
        self.requests: list[str] = []
        self._number = 0
        window = f"--window-size={size[0]},{size[1]}"
        command = [chromium, *_SWITCHES, window, f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self._socket = self._connect(folder)
        for domain in ("Network", "Page", "Runtime"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=size[0], height=size[1], deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(20)

    # -- what a person does ---------------------------------------------------------------------

    def open(self, address: str) -> None:
        self._call("Page.navigate", url=address)

    def click(
        self, selector: str, text: str = "", *, nth: int = 0, seconds: float = _PATIENCE
    ) -> None:
        """A click on the n-th visible element (-1: the last) whose text begins with `text`."""
        script = _CENTRE % (json.dumps(text), json.dumps(selector), nth)
        x, y = self._at_rest(script, seconds)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _at_rest(self, script: str, seconds: float) -> tuple[float, float]:
        """The place that an expression answers, once it stays the same for a moment."""
        deadline = time.monotonic() + seconds
        place = self.until(script, seconds)
        while True:
            time.sleep(_MOMENT)
            former, place = place, self.until(script, seconds)
            if former == place:
                return float(place[0]), float(place[1])
            assert time.monotonic() < deadline, f"never stood still: {script}"

    def click_into(self, selector: str, *, seconds: float = _PATIENCE) -> None:
        """Clicks on a text field until it has the focus: what is above it may still be growing."""
        focused = f"document.activeElement === document.querySelector({json.dumps(selector)})"
        deadline = time.monotonic() + seconds
        while not self.value(focused):
            assert time.monotonic() < deadline, f"never had the focus: {selector}"
            self.click(selector, seconds=seconds)

    def type(self, text: str) -> None:
        self._call("Input.insertText", text=text)

    def press(self, key: str, code: int, *, modifiers: int = 0) -> None:
        """A key by its name and its code on Windows, for instance `Enter`, 13; shift is 8."""
        text = {"text": "\r"} if key == "Enter" else {}
        about = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self._call("Input.dispatchKeyEvent", type="keyDown", **about, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", **about)

    def choose_files(self, selector: str, paths: Sequence[Path]) -> None:
        """What a person does in the dialogue of a file field."""
        script = f"document.querySelector({json.dumps(selector)})"
        field = self._call("Runtime.evaluate", expression=script)["result"]["objectId"]
        self._call("DOM.setFileInputFiles", objectId=field, files=[str(path) for path in paths])

    # -- what a person sees ---------------------------------------------------------------------

    def value(self, script: str) -> Any:
        """What an expression comes to; an element of the page counts as true."""
        plain = f"((result) => result instanceof Node || result)({script})"
        answer = self._call("Runtime.evaluate", expression=plain, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def load(self, script: str) -> None:
        """Runs a whole script in the page."""
        done = self._call("Runtime.evaluate", expression=f"{script};0")
        assert "exceptionDetails" not in done, done["exceptionDetails"]

    def until(self, script: str, seconds: float = _PATIENCE) -> Any:
        """Waits until an expression is true, and answers it."""
        deadline = time.monotonic() + seconds
        while not (value := self.value(script)):
            assert time.monotonic() < deadline, f"never came: {script}\n{self.text()}"
            time.sleep(0.05)
        return value

    def text(self) -> str:
        return str(self.value("document.body.innerText"))[-3000:]

    def picture(self, path: Path, selector: str | None = None) -> None:
        """What is in view, or one element wherever it is."""
        part: dict[str, Any] = {}
        if selector is not None:
            box = self.value(_BOX % json.dumps(selector))
            part = {"clip": box | {"scale": 1}, "captureBeyondViewport": True}
        shot = self._call("Page.captureScreenshot", format="png", **part)
        path.write_bytes(base64.b64decode(shot["data"]))

    def hosts(self) -> set[str]:
        """Every host that the page spoke to; `blob:` and `data:` speak to none."""
        parts = map(urlsplit, self.requests)
        return {part.hostname or "" for part in parts if part.scheme not in ("blob", "data")}

    # -- the protocol ---------------------------------------------------------------------------

    def _connect(self, folder: Path) -> WebSocket:
        ports = folder / "DevToolsActivePort"
        deadline = time.monotonic() + 30
        while not (ports.exists() and ports.read_text().count("\n")):
            assert time.monotonic() < deadline, "Chromium did not start"
            time.sleep(0.05)
        port = ports.read_text().split("\n")[0]
        tabs: Sequence[dict[str, str]] = httpx.get(f"http://127.0.0.1:{port}/json/list").json()
        address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
        return create_connection(address, timeout=30, suppress_origin=True)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        call = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(call))
        while True:
            try:
                message = json.loads(self._socket.recv())
            except WebSocketTimeoutException:
                raise AssertionError(f"no answer to {method}") from None
            if message.get("method") == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            if message.get("method") == "Network.webSocketCreated":
                self.requests.append(message["params"]["url"])
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                result: dict[str, Any] = message["result"]
                return result
