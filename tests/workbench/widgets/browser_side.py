"""Draws a widget in a real browser, with a model that only records."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

from workbench.widgets.view import STYLE, View

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

PAGE = """<!doctype html><meta charset="utf-8"><style>%(style)s</style><div id="cell"></div>
<pre id="result"></pre><script type="module">
const source = %(source)s;
const module = new Blob([source], {type: "text/javascript"});
const widget = (await import(URL.createObjectURL(module))).default;
const state = %(state)s;
const sent = [];
const listeners = {};
const model = {
  get: (name) => state[name],
  set: (name, value) => {
    state[name] = value;
    for (const act of listeners[`change:${name}`] ?? []) act();
  },
  save_changes: () => {},
  send: (message, callbacks, buffers) => sent.push({...message, bytes: buffers?.[0]?.byteLength}),
  on: (event, act) => (listeners[event] ??= new Set()).add(act),
  off: (event, act) => listeners[event]?.delete(act),
};
const el = document.querySelector("#cell");
const find = (selector) => el.querySelector(selector);
const end = widget.render({ model, el });
const answer = await (async () => { %(steps)s })();
end();
const open = Object.values(listeners).reduce((sum, acts) => sum + acts.size, 0);
document.querySelector("#result").textContent = JSON.stringify({ answer, sent, open });
</script>"""

QUIET = {"busy": False, "trouble": ""}


def play(
    folder: Path, widget: type[View], state: dict[str, object], steps: str
) -> dict[str, object]:
    """Draws the widget, runs the steps, and returns their answer and the messages sent."""
    values = {
        "style": STYLE,
        "source": json.dumps(str(widget._esm)).replace("</", "<\\/"),
        "state": json.dumps(QUIET | state).replace("</", "<\\/"),
        "steps": steps,
    }
    page = folder / "page.html"
    page.write_text(PAGE % values, "utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
               "--no-first-run", "--disable-background-networking", "--disable-sync",
               "--disable-component-update", f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=5000", "--dump-dom", page.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    printed = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert printed is not None and printed.group(1), done.stdout[-2000:] + done.stderr[-2000:]
    answer: dict[str, object] = json.loads(unescape(printed.group(1)))
    assert answer["open"] == 0, "a closed widget still listens"
    return answer


EVIL = "<img src=x onerror=alert(1)>"

PRESS = """
        const press = (text, nth = 0) =>
          [...el.querySelectorAll("button")].filter((b) => b.textContent === text)[nth].click();
"""
