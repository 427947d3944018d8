"""The browser side of what lists work and hits: uploads, tasks, searches."""

import pytest

from tests.workbench.widgets.browser_side import CHROMIUM, EVIL, PRESS, play
from workbench.widgets import SearchBox, TaskMonitor, Uploader

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def test_a_dropped_file_is_sent_in_pieces_and_failures_can_be_retried(tmp_path):
    known = {"name": EVIL, "error": ""}
    none = {"done": None, "total": None, "note": ""}
    files = [{"id": "u1", "stage": "failed", **known, **none, "error": EVIL},
             {"id": "u2", "stage": "partitioning", **known, "done": 3, "total": 10, "note": ""},
             {"id": "u3", "stage": "sending", **known, **none}]  # fmt: skip
    state = {"files": files, "counts": {"failed": 1, "done": 2}, "summary": "1 failed · 2 done"}
    played = play(tmp_path, Uploader, state, PRESS + """
        const size = 1500000;
        const bytes = (from, to) => new ArrayBuffer(Math.min(to, size) - from);
        const slice = (from, to) => ({ arrayBuffer: async () => bytes(from, to) });
        const file = { name: "big.pdf", size, slice };
        const drop = new Event("drop");
        drop.dataTransfer = { files: [file] };
        find(".wb-zone").dispatchEvent(drop);
        const key = sent[0].file;
        for (const from of [0, 1048576]) {
          for (const act of listeners["msg:custom"]) await act({ kind: "next", file: key, from });
        }
        find("input[type=text]").value = "reports/*.pdf";
        find("form").requestSubmit();
        press("retry"); press("remove"); press("cancel"); press("retry all failed");
        press("clear done");
        return [sent.every((one) => one.file === undefined || one.file === key),
                [...el.querySelectorAll("progress")].map((bar) => bar.value),
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == [True, [3], 0], "a bar is for what was read"
    plain = [{k: v for k, v in one.items() if k != "file"} for one in played["sent"]]
    assert plain == [
        {"kind": "begin", "name": "big.pdf", "size": 1_500_000},
        {"kind": "piece", "bytes": 1_048_576},
        {"kind": "piece", "bytes": 451_424},
        {"kind": "path", "text": "reports/*.pdf"},
        {"kind": "retry", "id": "u1"},
        {"kind": "forget", "id": "u1"},
        {"kind": "cancel", "id": "u2"},
        {"kind": "retry"},
        {"kind": "clear"},
    ]


def test_refused_input_stays_in_its_field_and_accepted_input_goes(tmp_path):
    state = {"files": [], "counts": {}, "summary": ""}
    played = play(tmp_path, Uploader, state, """
        const field = find("input[type=text]");
        const send = (text, trouble) => {
          field.value = text;
          find("form").requestSubmit();
          const meanwhile = field.value;
          model.set("busy", true);
          model.set("trouble", trouble);
          model.set("busy", false);
          return [meanwhile, field.value];
        };
        return [send("reports/*.pdf", ""), send("nothing/*.pdf", "There is no such file.")];
    """)  # fmt: skip
    assert played["answer"] == [["reports/*.pdf", ""], ["nothing/*.pdf", "nothing/*.pdf"]]


def test_another_search_begins_at_the_top_and_more_hits_do_not(tmp_path):
    hit = {"pieces": [["words", False]], "place": "a.pdf"}
    state = {
        "query": "", "where": "", "search_kind": "hybrid", "return_type": "element", "summary": "",
        "selected": -1, "more": True, "proposals": {}, "earlier": [], "shown": [hit] * 80,
        "facets": [{"place": 0, "field": "state",
                    "values": [{"text": "AK", "count": None, "picked": True}]}],
    }  # fmt: skip
    played = play(tmp_path, SearchBox, state, """
        const list = find("[role=listbox][aria-label=Hits]");
        list.scrollTop = 300;
        model.set("shown", [...state.shown, ...state.shown]);
        const kept = list.scrollTop;
        model.set("shown", [{ ...state.shown[0], place: "b.pdf" }, ...state.shown]);
        return [kept, list.scrollTop, find(".wb-facet label").textContent];
    """)  # fmt: skip
    assert played["answer"] == [300, 0, "AK"], "an unknown number is no zero"


def test_an_open_task_can_be_cancelled_and_errors_are_shown(tmp_path):
    task = {"name": EVIL, "done": 2, "total": 5, "unit": "pages", "message": "",
            "age": "3 min ago", "docset": EVIL}  # fmt: skip
    state = {
        "summary": "1 open",
        "trouble": "The server does not answer.",
        "tasks": [
            {"id": "t1", "status": "running", "open": True, **task},
            {"id": "t2", "status": "failed", "open": False, **task},
        ],
    }
    played = play(tmp_path, TaskMonitor, state, """
        find(".wb-list button").click();
        return [find("progress").value, el.querySelectorAll(".wb-list button").length,
                find(".wb-status").textContent, el.querySelectorAll("img").length,
                find(".wb-docset").textContent];
    """)  # fmt: skip
    assert played["answer"] == [2, 1, "The server does not answer.", 0, EVIL]
    assert played["sent"] == [{"kind": "cancel", "task": "t1"}]
