"""The widgets' browser side in a real browser, with a model that only remembers."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from workbench.widgets.view import STYLE, script

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

PAGE = """<!doctype html><meta charset="utf-8"><style>%(style)s</style><div id="cell"></div>
<pre id="told"></pre><script type="module">
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
document.querySelector("#told").textContent = JSON.stringify({ answer, sent, open });
</script>"""

QUIET = {"busy": False, "trouble": ""}


def play(folder: Path, name: str, state: dict[str, object], steps: str) -> dict[str, object]:
    """Draws the widget, does the steps, and answers what they return and what was sent."""
    values = {
        "style": STYLE,
        "source": json.dumps(script(name)).replace("</", "<\\/"),
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
    told = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert told is not None and told.group(1), done.stdout[-2000:] + done.stderr[-2000:]
    answer: dict[str, object] = json.loads(unescape(told.group(1)))
    assert answer["open"] == 0, "a closed widget still listens"
    return answer


EVIL = "<img src=x onerror=alert(1)>"


def test_a_search_is_sent_with_what_was_typed_and_hits_can_be_chosen(tmp_path):
    state = {
        "query": "", "where": "", "search_kind": "hybrid", "return_type": "element",
        "summary": "1 hit", "selected": -1,
        "facets": [{"place": 4, "field": "state",
                    "values": [{"text": EVIL, "count": 3, "picked": False}]}],
        "shown": [{"pieces": [[EVIL, False], ["ice", True]], "place": "a.pdf · p2"}],
    }  # fmt: skip
    told = play(tmp_path, "search_box", state, """
        find("input[type=search]").value = "wing ice";
        find("form").requestSubmit();
        const key = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
        document.addEventListener("keydown", () => sent.push("the notebook saw a key"));
        find("input").dispatchEvent(key);
        find("input[type=checkbox]").click();
        find(".wb-item").click();
        return [state.query, state.selected, find("mark").textContent,
                find(".wb-item").getAttribute("aria-selected"), el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert told["answer"] == ["wing ice", 0, "ice", "true", 0]
    assert told["sent"] == [{"kind": "search"}, {"kind": "pick", "facet": 4, "value": 0}]


def test_a_docset_is_found_by_name_and_chosen_by_keyboard(tmp_path):
    rows = [{"id": str(n), "name": f"Set {n} {EVIL}", "about": "1 document"} for n in range(12)]
    told = play(tmp_path, "docset_picker", {"docsets": rows, "docset_id": ""}, """
        const items = () => [...el.querySelectorAll("[role=option]")];
        find("input").value = "set 1";
        find("input").dispatchEvent(new Event("input"));
        const narrowed = items().length;
        await new Promise((done) => setTimeout(done));
        const entrances = items().filter((item) => item.tabIndex === 0).length;
        items()[0].focus();
        for (const key of ["ArrowDown", "End"]) {
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        }
        document.activeElement.click();
        const kept = document.activeElement.textContent.startsWith("Set 11");
        find("input").value = "nothing like it";
        find("input").dispatchEvent(new Event("input"));
        find("button").click();
        return [narrowed, entrances, state.docset_id, kept, items().length,
                find(".wb-none").textContent, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert told["answer"] == [3, 1, "11", True, 0, "No DocSet of that name.", 0]
    assert told["sent"] == [{"kind": "refresh"}]


def test_a_box_on_a_page_is_chosen_by_mouse_and_by_keyboard(tmp_path):
    box = {"kind": "Text", "text": EVIL, "box": [0.1, 0.2, 0.5, 0.4]}
    state = {
        "title": "a.pdf", "page": 1, "pages": 2, "picture": None, "selected": "",
        "boxes": [{"id": "one", **box}, {"id": "two", **box}],
    }  # fmt: skip
    told = play(tmp_path, "element_viewer", state, """
        const [one, two] = el.querySelectorAll("rect");
        const width = one.getAttribute("width");
        two.dispatchEvent(new MouseEvent("click"));
        const byMouse = state.selected;
        el.querySelector("rect").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
        const [back, on] = el.querySelectorAll("button");
        on.click();
        return [byMouse, state.selected, Number(width).toFixed(1), back.disabled,
                find(".wb-words").textContent, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert told["answer"] == ["two", "one", "0.4", True, f"Text {EVIL}", 1]
    assert told["sent"] == [{"kind": "page", "page": 2}]


def test_a_plan_shows_its_steps_and_sends_feedback_and_decisions(tmp_path):
    step = {"kind": "Count", "summary": EVIL, "link": "", "result": True}
    state = {
        "question": "how many?", "version": "version 2 of 2", "can_undo": True, "can_redo": False,
        "steps": [{"id": 1, "inputs": [], **step, "rows": 4, "ms": 1.25},
                  {"id": 2, "inputs": [1], **step, "rows": None, "ms": None}],
        "changes": [{"key": "k", "kind": "added", "line": "+ it", "refused": False,
                     "accepted": True}],
        "remarks": ["! assumed"], "output": {"title": "Run", "columns": ["n"], "rows": [[4]]},
    }  # fmt: skip
    told = play(tmp_path, "plan_editor", state, """
        const press = (text, nth = 0) =>
          [...el.querySelectorAll("button")].filter((b) => b.textContent === text)[nth].click();
        find("input").value = "only 2023";
        find("form").requestSubmit();
        press("refuse"); press("accept"); press("undo"); press("redo"); press("run");
        press("to here", 1); press("4 rows");
        return [find("td").textContent, find("input").value,
                el.querySelectorAll("path").length, el.querySelectorAll("circle").length,
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert told["answer"] == ["4", "", 1, 2, 0]
    assert told["sent"] == [
        {"kind": "feedback", "text": "only 2023"},
        {"kind": "decide", "key": "k", "accept": False},
        {"kind": "undo"},
        {"kind": "run"},
        {"kind": "run", "until": 2},
        {"kind": "output", "node": 1},
    ]


def test_a_dropped_file_is_sent_piece_by_piece_on_request(tmp_path):
    told = play(tmp_path, "uploader", {"files": []}, """
        const size = 1500000;
        const bytes = (from, to) => new ArrayBuffer(Math.min(to, size) - from);
        const slice = (from, to) => ({ arrayBuffer: async () => bytes(from, to) });
        const file = { name: "big.pdf", size, slice };
        const drop = new Event("drop");
        drop.dataTransfer = { files: [file] };
        find(".wb-row").dispatchEvent(drop);
        for (const from of [0, 1048576]) {
          for (const act of listeners["msg:custom"]) await act({ kind: "next", file: 0, from });
        }
    """)  # fmt: skip
    assert told["sent"] == [
        {"kind": "begin", "file": 0, "name": "big.pdf", "size": 1_500_000},
        {"kind": "piece", "file": 0, "bytes": 1_048_576},
        {"kind": "piece", "file": 0, "bytes": 451_424},
    ]


def test_an_open_task_can_be_cancelled_and_trouble_is_said(tmp_path):
    task = {"name": EVIL, "done": 2, "total": 5, "unit": "pages", "message": ""}
    state = {
        "summary": "1 under way",
        "trouble": "The server does not answer.",
        "tasks": [
            {"id": "t1", "status": "running", "open": True, **task},
            {"id": "t2", "status": "failed", "open": False, **task},
        ],
    }
    told = play(tmp_path, "task_monitor", state, """
        find("button").click();
        return [find("progress").value, el.querySelectorAll("button").length,
                find(".wb-status").textContent, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert told["answer"] == [2, 1, "The server does not answer.", 0]
    assert told["sent"] == [{"kind": "cancel", "task": "t1"}]
