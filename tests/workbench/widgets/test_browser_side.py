"""The widgets' browser side in a real browser, with a model that only remembers."""

import json

import pytest

from tests.workbench.widgets.browser_side import CHROMIUM, EVIL, PRESS, play
from workbench.widgets import (
    DocSetPicker,
    ElementViewer,
    PlanEditor,
    SearchBox,
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def test_a_search_is_sent_with_the_typed_text_and_hits_can_be_chosen(tmp_path):
    state = {
        "query": "", "where": "", "search_kind": "hybrid", "return_type": "element",
        "summary": "1 hit", "selected": -1, "more": True, "proposals": {}, "earlier": [EVIL],
        "facets": [{"place": 4, "field": "state",
                    "values": [{"text": EVIL, "count": 3, "picked": False}]}],
        "shown": [{"pieces": [[EVIL, False], ["ice", True]], "place": "a.pdf · p2"}],
    }  # fmt: skip
    played = play(tmp_path, SearchBox, state, """
        find("input[type=search]").value = "wing ice";
        find("input[type=text]").value = "year >= 2020";
        find("form").requestSubmit();
        const typed = [state.query, state.where];
        find("input[type=search]").value = "propeller";
        find("select[aria-label='Kind of search']").value = "vector";
        find("select[aria-label='Kind of search']").dispatchEvent(new Event("change"));
        const chosen = [state.query, state.where, state.search_kind];
        const key = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
        document.addEventListener("keydown", () => sent.push("the notebook saw a key"));
        find("input").dispatchEvent(key);
        find("input[type=checkbox]").click();
        find(".wb-item").click();
        find("select[aria-label='Earlier searches']").selectedIndex = 1;
        find("select[aria-label='Earlier searches']").dispatchEvent(new Event("change"));
        find(".wb-panes .wb-small").click();
        return [typed, chosen, state.selected, find("mark").textContent,
                find(".wb-item").getAttribute("aria-selected"), el.querySelectorAll("img").length];
    """)  # fmt: skip
    typed, chosen = ["wing ice", "year >= 2020"], ["propeller", "year >= 2020", "vector"]
    assert played["answer"] == [typed, chosen, 0, "ice", "true", 0]
    assert played["sent"] == [
        {"kind": "search"},
        {"kind": "search"},
        {"kind": "pick", "facet": 4, "value": 0},
        {"kind": "recall", "place": 0},
        {"kind": "more"},
    ]


def test_a_filter_is_completed_with_the_arrow_keys_and_enter(tmp_path):
    state = {
        "query": "", "where": "", "search_kind": "hybrid", "return_type": "element", "summary": "",
        "selected": -1, "more": False, "proposals": {}, "earlier": [], "facets": [], "shown": [],
    }  # fmt: skip
    played = play(tmp_path, SearchBox, state, """
        const where = find("[role=combobox]");
        const options = () => [...el.querySelectorAll(".wb-combo [role=option]")];
        const press = (key) => where.dispatchEvent(new KeyboardEvent("keydown", { key }));
        where.focus();
        where.value = "sta";
        where.setSelectionRange(3, 3);
        where.dispatchEvent(new Event("input"));
        const items = ["state", "<img src=x>"].map((text) => ({ text, about: "string · 3" }));
        model.set("proposals", { text: "st", start: 0, end: 2, items, problem: "" });
        const late = options().length;
        model.set("proposals", { text: "sta", start: 0, end: 3, items, problem: "" });
        const open = [options().length, where.ariaExpanded];
        press("ArrowDown");
        const meant = where.getAttribute("aria-activedescendant") === options()[0].id;
        press("Enter");
        const completed = [where.value, options().length, state.query];
        where.value = "state !";
        const none = { text: "state !", start: 7, end: 7, items: [] };
        model.set("proposals", { ...none, problem: "a value is missing" });
        return [late, open, meant, completed, find(".wb-problem").textContent,
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == [
        0, [2, "true"], True, ["state ", 0, ""], "a value is missing", 0
    ]  # fmt: skip
    asked = [one for one in played["sent"] if one["kind"] == "complete"]
    assert asked[-2:] == [
        {"kind": "complete", "text": "sta", "cursor": 3},
        {"kind": "complete", "text": "state ", "cursor": 6},
    ]


def test_a_docset_is_filtered_by_name_and_chosen_by_keyboard(tmp_path):
    rows = [{"id": str(n), "name": f"Set {n} {EVIL}", "about": "1 document"} for n in range(12)]
    played = play(tmp_path, DocSetPicker, {"docsets": rows, "docset_id": ""}, """
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
    assert played["answer"] == [3, 1, "11", True, 0, "No DocSet of that name.", 0]
    assert played["sent"] == [{"kind": "refresh"}]


def test_a_box_on_a_page_is_chosen_by_mouse_and_by_keyboard(tmp_path):
    box = {"kind": "Text", "text": EVIL, "box": [0.1, 0.2, 0.5, 0.4]}
    state = {
        "title": "a.pdf", "page": 1, "pages": 2, "picture": None, "selected": "",
        "boxes": [{"id": "one", **box}, {"id": "two", **box}], "values": [], "mark": {},
    }  # fmt: skip
    played = play(tmp_path, ElementViewer, state, """
        const [one, two] = el.querySelectorAll("rect");
        const width = one.getAttribute("width");
        two.dispatchEvent(new MouseEvent("click"));
        const byMouse = state.selected;
        const listed = find(".wb-item[aria-selected=true]") === el.querySelectorAll(".wb-item")[1];
        find(".wb-item").click();
        const byList = el.querySelector("rect").getAttribute("aria-selected");
        el.querySelector("rect").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
        const [back, on] = el.querySelectorAll("button");
        on.click();
        return [byMouse, listed, byList, state.selected, Number(width).toFixed(1), back.disabled,
                find(".wb-words").textContent, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == ["two", True, "true", "one", "0.4", True, f"Text {EVIL}", 1]
    assert played["sent"] == [{"kind": "page", "page": 2}]


def test_an_empty_viewer_is_small_and_has_the_colour_of_the_theme(tmp_path):
    state = {
        "title": "", "page": 1, "pages": 1, "picture": None, "selected": "", "boxes": [],
        "values": [], "mark": {}, "remarks": [],
    }  # fmt: skip
    played = play(tmp_path, ElementViewer, state, """
        const shown = [...el.querySelectorAll("*")].filter((one) => one.getClientRects().length);
        const grounds = shown.map((one) => getComputedStyle(one).backgroundColor);
        const theme = [getComputedStyle(find(".wb")).backgroundColor, "rgba(0, 0, 0, 0)"];
        return [el.offsetHeight < 120, grounds.every((one) => theme.includes(one))];
    """)  # fmt: skip
    assert played["answer"] == [True, True]


def test_values_say_how_sure_they_are_and_lead_to_their_box(tmp_path):
    values = [
        {"name": "state", "words": EVIL, "sure": "0.97", "doubtful": False, "guess": False,
         "page": 1},
        {"name": "year", "words": "—", "sure": "", "doubtful": False, "guess": False, "page": None},
        {"name": "year", "words": "2018", "sure": "0.31", "doubtful": True, "guess": True,
         "page": 1},
    ]  # fmt: skip
    state = {"title": "a.pdf", "page": 1, "pages": 2, "picture": None, "selected": "", "boxes": [],
             "values": values, "mark": {}}  # fmt: skip
    played = play(tmp_path, ElementViewer, state, """
        const rows = [...el.querySelectorAll(".wb-values button")];
        rows[2].click();
        rows[1].click();
        model.set("mark", { page: 1, box: [0.1, 0.2, 0.5, 0.4], name: "year" });
        const width = find("rect.wb-mark").getAttribute("width");
        model.set("page", 2);
        return [rows.map((row) => row.textContent), rows[2].querySelector(".wb-sure").className,
                width, find("rect.wb-mark"), el.querySelectorAll("img").length];
    """)  # fmt: skip
    rows = [f"state  {EVIL}0.97", "year  —", "perhaps  20180.31"]
    assert played["answer"] == [rows, "wb-sure wb-warn", "0.4", None, 1]
    assert played["sent"] == [{"kind": "value", "place": 2}]


def test_a_document_without_pages_is_read_and_chosen_from_in_its_text(tmp_path):
    state = {
        "title": "a.md", "page": 1, "pages": 1, "picture": None, "selected": "two",
        "values": [], "mark": {},
        "boxes": [{"id": "one", "kind": "Title", "text": EVIL, "box": [0, 0, 1, 1]},
                  {"id": "two", "kind": "table", "text": "a b", "box": [0, 0, 1, 1]}],
    }  # fmt: skip
    played = play(tmp_path, ElementViewer, state, """
        const [one, two] = el.querySelectorAll(".wb-reading .wb-item");
        const lit = two.ariaSelected;
        one.click();
        model.set("picture", new Uint8Array([1]));
        return [one.textContent, lit, state.selected, find(".wb-reading").hidden,
                find(".wb-page").hidden, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == [EVIL, "true", "one", True, False, 1]


def test_a_table_of_a_document_without_pages_is_shown_as_a_table(tmp_path):
    grid = {"columns": ["part", "cost"], "rows": [["rotor", EVIL]], "left": 3}
    state = {
        "title": "a.docx", "page": 1, "pages": 1, "picture": None, "selected": "",
        "values": [], "mark": {},
        "boxes": [{"id": "one", "kind": "table", "text": "x", "box": [0, 0, 1, 1], "table": grid}],
    }  # fmt: skip
    played = play(tmp_path, ElementViewer, state, """
        const cells = [...el.querySelectorAll(".wb-reading td, .wb-reading th")];
        find(".wb-reading .wb-item").click();
        return [cells.map((cell) => cell.textContent), state.selected,
                find(".wb-reading .wb-dim").textContent, el.querySelectorAll("img").length];
    """)  # fmt: skip
    cells = ["part", "cost", "rotor", EVIL]
    assert played["answer"] == [cells, "one", "… and 3 more rows", 1]


STEP = {
    "expected": None,
    "partial": False,
    "kind": "Count",
    "does": EVIL,
    "link": "",
    "result": True,
    "notes": EVIL,
}
PLAN = {
    "question": "how many?", "questions": [{"id": "q1", "text": EVIL, "current": True},
                                           {"id": "q2", "text": "why?", "current": False}],
    "version": "version 2 of 2", "can_undo": True, "can_redo": False, "running": False,
    "versions": [{"number": 1, "depth": 0, "words": EVIL, "outcome": "4", "current": False},
                 {"number": 2, "depth": 0, "words": "“x”", "outcome": "", "current": True}],
    "comparison": {}, "form": {}, "faults": {}, "lineage": {}, "place": {}, "picture": None,
    "reading": [],
    "steps": [{"id": 1, "inputs": [], **STEP, "state": "done", "rows": 4, "ms": 1.25},
              {"id": 2, "inputs": [1], **STEP, "state": "running", "rows": None, "ms": None}],
    "changes": [{"key": "k", "kind": "added", "line": "+ it", "refused": False, "accepted": True}],
    "remarks": [{"kind": "warn", "text": EVIL}],
    "output": {"title": "Run", "node": 2, "columns": ["n"], "rows": [["4"]], "numbers": [True],
               "number": None, "offset": 100, "limit": 100, "total": 101},
    "notes": {}, "filter_values": [], "merges": [], "choices": {},
}  # fmt: skip


def test_a_plan_shows_its_steps_and_sends_feedback_and_decisions(tmp_path):
    played = play(tmp_path, PlanEditor, PLAN, PRESS + """
        find("[aria-label=Feedback]").value = "only 2023";
        find("[aria-label=Feedback]").form.requestSubmit();
        press("refuse"); press("✓ accepted"); press("undo"); press("redo"); press("run");
        press("to here", 1); press("4 rows"); press("‹ back"); press("show"); press("compare");
        const others = find("[aria-label='Questions about this DocSet']");
        others.value = "q2";
        others.dispatchEvent(new Event("change"));
        return [find("td:last-child").textContent, find("[aria-label=Feedback]").value,
                el.querySelectorAll(".wb-graph path").length,
                [...el.querySelectorAll("circle")].map((c) => c.classList[1]),
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == ["4", "only 2023", 1, ["wb-done", "wb-running"], 1]
    assert played["sent"] == [
        {"kind": "feedback", "text": "only 2023"},
        {"kind": "decide", "key": "k", "accept": False},
        {"kind": "undo"},
        {"kind": "run"},
        {"kind": "run", "until": 2},
        {"kind": "output", "node": 1},
        {"kind": "output", "node": 2, "offset": 0},
        {"kind": "go_to", "number": 1},
        {"kind": "compare", "number": 1},
        {"kind": "open", "id": "q2"},
    ]


READINGS = {
    "of": "feedback",
    "request": "by place",
    "title": "“by place” may mean several things. Which do you mean?",
    "readings": [
        {"words": "Group by city " + EVIL, "warnings": []},
        {"words": "Group by state", "warnings": ["ignored these words: “quickly”"]},
    ],
}


def test_readings_have_a_button_and_a_key_each_and_can_be_left(tmp_path):
    steps = f"const readings = {json.dumps(READINGS)};" + """
      const input = find("[aria-label=Feedback]");
      input.focus();
      model.set("choices", readings);
      const group = find(".wb-choices");
      const of = (name) => [...group.querySelectorAll("button")].map((b) => b.getAttribute(name));
      const shown = of("aria-label");
      const focused = document.activeElement.textContent;
      const keys = of("aria-keyshortcuts");
      const press = (target, key) =>
        target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
      press(input, "1");
      press(group.querySelector("button"), "2");
      group.querySelector("button").click();
      press(group.querySelector("button"), "7");
      press(group.querySelector("button"), "Escape");
      const typed = [input.value, document.activeElement === input];
      model.set("choices", {});
      return { shown, focused, keys, typed, hidden: group.hidden,
               role: group.getAttribute("role"), name: group.getAttribute("aria-label"),
               pictures: el.querySelectorAll("img").length };
    """  # fmt: skip
    played = play(tmp_path, PlanEditor, PLAN, steps)
    assert played["sent"] == [
        {"kind": "choose", "place": 1}, {"kind": "choose", "place": 0}, {"kind": "choose"}
    ]  # fmt: skip
    answer = played["answer"]
    assert answer["shown"][:2] == [f"1: Group by city {EVIL}", "2: Group by state"]
    assert answer["focused"].startswith("1 Group by city")
    assert answer["keys"] == ["1", "2", "Escape"]
    assert answer["typed"] == ["by place", True] and answer["hidden"]
    assert (answer["role"], answer["name"]) == ("group", READINGS["title"])
    assert answer["pictures"] == 1, "that of the page"


def test_undo_and_redo_have_their_usual_keys_but_not_while_one_types(tmp_path):
    played = play(tmp_path, PlanEditor, PLAN | {"can_redo": True}, """
        const key = (where, key, shiftKey = false) => where.dispatchEvent(
          new KeyboardEvent("keydown", { key, shiftKey, ctrlKey: true, bubbles: true }));
        key(find(".wb-name"), "z");
        key(find(".wb-name"), "Z", true);
        key(find(".wb-name"), "y");
        key(find("[aria-label=Feedback]"), "z");
        model.set("can_undo", false);
        key(find(".wb-name"), "z");
    """)  # fmt: skip
    assert [one["kind"] for one in played["sent"]] == ["undo", "redo", "redo"]


def test_the_form_of_a_step_is_checked_while_one_types_and_saved(tmp_path):
    common = {"default": "", "required": False, "choices": [], "label": EVIL, "usual": False}
    fields = [
        common | {"name": "field", "kind": "property", "text": "state", "required": True,
                  "choices": [EVIL, "city"]},
        common | {"name": "bucket", "kind": "choice", "text": "", "choices": ["year", "month"]},
        common | {"name": "query", "kind": "json", "text": ""},
    ]  # fmt: skip
    form = {
        "version": 2, "node": 1, "kind": "GroupBy", "about": EVIL, "fields": fields,
        "faults": {"field": EVIL, "": "elsewhere"}, "inputs": "0", "kinds": ["Count", "Sort"],
    }  # fmt: skip
    played = play(tmp_path, PlanEditor, PLAN, """
        find(".wb-name").click();
        const before = find(".wb-form").hidden;
        model.set("form", FORM);
        const field = find(".wb-form input");
        const problem = [find(".wb-field .wb-problem").textContent, field.ariaInvalid,
                      document.activeElement === field,
                      el.querySelectorAll("datalist option").length];
        field.value = "city";
        field.dispatchEvent(new Event("input"));
        find(".wb-field select").value = "month";
        await new Promise((done) => setTimeout(done, 300));
        model.set("faults", {});
        const insert = find("[aria-label='Insert a step after step 1']");
        insert.value = "Sort";
        insert.dispatchEvent(new Event("change"));
        [...el.querySelectorAll("button")].find((b) => b.textContent === "remove").click();
        find(".wb-form form").requestSubmit();
        model.set("form", {});
        return [before, problem, find(".wb-form").hidden, el.querySelectorAll("img").length];
    """.replace("FORM", json.dumps(form)))  # fmt: skip
    assert played["answer"] == [True, [EVIL, "true", True, 2], True, 1]
    texts = {"field": "city", "bucket": "month", "query": ""}
    assert played["sent"] == [
        {"kind": "form", "node": 1},
        {"kind": "check", "node": 1, "fields": texts, "inputs": "0"},
        {"kind": "insert", "node": 1, "step": "Sort"},
        {"kind": "remove", "node": 1},
        {"kind": "save", "node": 1, "fields": texts, "inputs": "0"},
    ]


def test_a_row_leads_to_its_documents_and_a_place_to_its_box(tmp_path):
    place = {
        "name": "state",
        "words": EVIL,
        "sure": "0.31",
        "doubtful": True,
        "quote": EVIL,
        "page": 2,
        "box": [0.1, 0.2, 0.5, 0.4],
        "element": "e1",
    }
    documents = [{"id": "d1", "name": EVIL, "places": [place, place | {"name": "year"}]},
                 {"id": "d2", "name": "b.docx", "places": []}]  # fmt: skip
    lineage = {"title": "Behind row 1: 2 documents", "documents": documents, "left": 3}
    played = play(tmp_path, PlanEditor, PLAN, """
        find("tbody button").click();
        find("tbody tr").lastChild.click();
        model.set("lineage", LINEAGE);
        const [one, same, two] = el.querySelectorAll(".wb-places button");
        const more = find(".wb-places + div button");
        one.click();
        two.click();
        more.click();
        model.set("place", sent.find(({ kind }) => kind === "look"));
        const lit = [...el.querySelectorAll(".wb-places [role=option]")].map((b) => b.ariaSelected);
        return [lit, find(".wb-page rect").getAttribute("width"), find(".wb-page").hidden,
                find(".wb-places .wb-sure").className, find(".wb-quote").textContent,
                el.querySelectorAll("img").length];
    """.replace("LINEAGE", json.dumps(lineage)))  # fmt: skip
    assert played["answer"] == [
        ["true", "false", "false"], "0.4", False, "wb-warn wb-sure", f"p2  “{EVIL}”", 1,
    ]  # fmt: skip
    why = {"kind": "why", "node": 2, "row": 100}
    assert played["sent"] == [
        why,
        why,
        {
            "kind": "look",
            "document": "d1",
            "page": 2,
            "box": place["box"],
            "element": "e1",
            "field": "state",
        },
        {"kind": "look", "document": "d2", "page": 1, "box": None, "element": None, "field": ""},
        {"kind": "more"},
    ]


NOTES = {
    "mark": "⚠", "range": "could be 1 to 46", "story": f"413 documents · {EVIL}",
    "unused": "Not used: “sender”", "warnings": [EVIL],
    "footnotes": [{"text": "45 of 67 documents have no invoice date.", "node_id": 2,
                   "field": "invoice_date"}],
}  # fmt: skip


def test_one_number_is_marked_and_leads_to_its_documents_and_to_those_left_out(tmp_path):
    number = {"words": "1", "documents": 1}
    output = PLAN["output"] | {  # type: ignore[operator]
        "node": 3, "title": "Result", "number": number, "offset": 0, "total": 1,
    }  # fmt: skip
    played = play(tmp_path, PlanEditor, PLAN | {"output": output, "notes": NOTES}, PRESS + """
        press("1 document behind it");
        find(".wb-footnote").click();
        press("review");
        const key = new KeyboardEvent("keydown", { key: "c", bubbles: true });
        find(".wb-figure").dispatchEvent(key);
        const colour = (selector) => getComputedStyle(find(selector)).color;
        const warned = colour(".wb-answer .wb-figure") === colour(".wb-beside .wb-unused");
        const shown = find(".wb-answer").textContent;
        const beside = find(".wb-beside").innerText;
        const tables = el.querySelectorAll(".wb-output table").length;
        model.set("notes", { footnotes: [], warnings: [] });
        const plain = colour(".wb-answer .wb-figure") !== colour(".wb-changed");
        return [warned, plain, shown, beside.split("\\n"), tables, find(".wb-figure").textContent,
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    warned, plain, shown, beside, tables, figure, pictures = played["answer"]  # type: ignore[misc]
    assert warned and plain and tables == 0 and figure == "1"
    assert "⚠ 1" in shown and "could be 1 to 46" in shown
    assert beside == [
        NOTES["story"],
        "Not used: “sender”",
        NOTES["footnotes"][0]["text"],
        "review",
        EVIL,
    ]  # type: ignore[index]
    assert played["sent"] == [
        {"kind": "why", "node": 3, "row": None},
        {"kind": "left_out", "node": 2, "field": "invoice_date"},
        {"kind": "review", "node": 2, "field": "invoice_date"},
        {"kind": "review", "node": 2, "field": "invoice_date"},
    ]
    assert pictures == 1, "that of the page"


def test_a_table_has_its_notes_below_it_and_its_numbers_as_python_wrote_them(tmp_path):
    output = PLAN["output"] | {"rows": [["1,204.50"]]}  # type: ignore[operator]
    played = play(tmp_path, PlanEditor, PLAN | {"output": output, "notes": NOTES}, """
        const cell = find("tbody tr").lastChild;
        return [cell.textContent, cell.className, find(".wb-output .wb-row .wb-warn").textContent,
                find(".wb-output").lastChild.className];
    """)  # fmt: skip
    assert played["answer"] == ["1,204.50", "wb-number", "⚠ could be 1 to 46", "wb-beside"]


def test_spellings_are_counted_as_one_and_apart_by_a_click(tmp_path):
    merges = [{"words": EVIL, "agreed": False}, {"words": "b counts as c", "agreed": True}]
    played = play(tmp_path, PlanEditor, PLAN | {"merges": merges}, """
        const boxes = () => [...el.querySelectorAll(".wb-merges input")];
        const before = boxes().map((box) => box.checked);
        boxes()[0].click();
        boxes()[1].click();
        return [before, el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == [[False, True], 1]
    assert played["sent"] == [
        {"kind": "merge", "places": [0, 1]},
        {"kind": "merge", "places": [0]},
    ]


def test_an_added_value_of_a_filter_is_excluded_by_a_click(tmp_path):
    values = [{"words": "California", "included": True, "added": False},
              {"words": "CA", "included": True, "added": True},
              {"words": EVIL, "included": False, "added": True}]  # fmt: skip
    filters = [{"node": 1, "field": "state", "kin": "also matches CA", "values": values}]
    played = play(tmp_path, PlanEditor, PLAN | {"filter_values": filters}, """
        const boxes = () => [...el.querySelectorAll(".wb-ticks input")];
        const before = boxes().map((box) => box.checked);
        boxes()[1].click();
        boxes()[2].click();
        return [before, find(".wb-ticks").textContent.includes("also matches CA"),
                el.querySelectorAll("img").length];
    """)  # fmt: skip
    assert played["answer"] == [[True, True, False], True, 1]
    assert played["sent"] == [
        {"kind": "values", "node": 1, "places": [0]},
        {"kind": "values", "node": 1, "places": [0, 2]},
    ]


def test_the_places_of_a_file_without_pages_are_read_in_its_text(tmp_path):
    box = [0, 0, 1, 1]
    words = [{"id": "e1", "kind": "Title", "text": EVIL, "box": box},
             {"id": "e2", "kind": "Text", "text": "Ice.", "box": box}]  # fmt: skip
    played = play(tmp_path, PlanEditor, PLAN, """
        model.set("lineage", { title: "Behind row 1", documents: [], left: 0 });
        model.set("place", { document: "d1", page: 1, box: [0, 0, 1, 1], element: "e2" });
        model.set("reading", WORDS);
        const [one, two] = el.querySelectorAll(".wb-reading button");
        one.click();
        return [find(".wb-page").hidden, one.textContent, two.ariaSelected,
                el.querySelectorAll("img").length];
    """.replace("WORDS", json.dumps(words)))  # fmt: skip
    assert played["answer"] == [True, EVIL, "true", 1]
    (look,) = played["sent"]  # type: ignore[misc]
    at = {"document": "d1", "page": 1, "box": box, "element": "e1", "field": None}
    assert look == {"kind": "look"} | at
