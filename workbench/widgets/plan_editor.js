const button = (text, act, about = {}) =>
  make("button", { type: "button", onclick: act, ...about }, text);
const small = (text, act, label) =>
  button(text, act, { className: "wb-small", title: label, "aria-label": label });

// A line of text that is sent with Enter.
const asking = (model, label, placeholder, text, send) => {
  const words = make("input", { type: "text", placeholder, "aria-label": label });
  const [submit, stop] = sending(model, words, send);
  const line = make("form", { className: "wb-row", onsubmit: submit }, words, make("button", { type: "submit" }, text));
  return [line, stop];
};

const stepsOf = (model) => {
  const graph = make("div", { className: "wb-list wb-graph", role: "list", "aria-label": "Plan" });
  const step = ({ id, does, kind, link, result, state, rows, ms, notes, partial, expected }) => {
    const known = rows !== null;
    const counted = known ? `${rows.toLocaleString()} ${rows === 1 ? "row" : "rows"}` : "";
    const open = () => model.send({ kind: "form", node: id });
    const name = button(does, open, { className: "wb-link wb-name", title: `Change step ${id}: ${does}` });
    const progress = { running: "running …", failed: "failed" }[state];
    return make(
      "div",
      { className: "wb-row wb-step", role: "listitem" },
      make("span", { className: "wb-tag" }, String(id)),
      name,
      make("span", { className: "wb-what wb-dim", title: "kind of step" }, kind),
      notes && !partial ? make("span", { className: "wb-changed", title: notes, role: "note", "aria-label": notes }, "!") : null,
      link ? make("span", { className: "wb-dim" }, link) : null,
      result ? make("span", { className: "wb-tag" }, "result") : null,
      progress ? make("span", { className: `wb-${state}` }, progress) : null,
      ms === null ? null : make("span", { className: "wb-dim", title: "run time" }, `${ms.toFixed(0)} ms`),
      !known && expected
        ? make("span", { className: "wb-dim", title: "estimated before the run" }, expected)
        : null,
      known && partial ? make("span", { className: "wb-warn", title: notes }, "⚠") : null,
      known ? small(counted, () => model.send({ kind: "output", node: id }), `Show the ${counted} of step ${id}`) : null,
      small("to here", () => model.send({ kind: "run", until: id }), `Run up to step ${id}`),
    );
  };
  const stop = follow(model, ["steps"], () => {
    const steps = model.get("steps");
    graph.hidden = !steps.length;
    if (graph.hidden) return;
    const [picture, width] = threads(steps);
    graph.style.paddingLeft = `${width}px`;
    refill(graph, [picture, ...steps.map(step)]);
  });
  return [graph, stop];
};

const changesOf = (model) => {
  const list = make("div", { className: "wb-list wb-changes", role: "list", "aria-label": "Changes" });
  const change = ({ key, kind, line: text, refused, accepted }) => {
    const decide = (accept) => () => model.send({ kind: "decide", key, accept });
    const yes = small(accepted ? "✓ accepted" : "accept", decide(true), `Accept: ${text}`);
    const no = small(refused ? "✗ refused" : "refuse", decide(false), `Refuse: ${text}`);
    yes.disabled = accepted;
    no.disabled = refused;
    const body = make(refused ? "s" : "span", { className: `wb-code wb-${kind}` }, text);
    return make("div", { className: "wb-row wb-change", role: "listitem" }, body, yes, no);
  };
  return [list, follow(model, ["changes"], () => refill(list, model.get("changes").map(change)))];
};

// What a question or feedback may mean: a button for each reading, with the number as its key.
const choicesOf = (model, rephrase) => {
  const group = make("div", { className: "wb-choices", role: "group" });
  const taking = (place) => () => model.send({ kind: "choose", place });
  const reading = ({ words, warnings }, at) => {
    const key = String(at + 1);
    const name = make("span", {}, make("kbd", { className: "wb-tag" }, key), ` ${words}`);
    const take = button("", taking(at), { className: "wb-choice", "aria-keyshortcuts": key, "aria-label": `${key}: ${words}` });
    take.append(name, ...warnings.map((text) => make("div", { className: "wb-warn" }, `! ${text}`)));
    return take;
  };
  const stop = follow(model, ["choices"], () => {
    const { title, of: place, request, readings = [] } = model.get("choices");
    group.hidden = !readings.length;
    if (group.hidden) return group.replaceChildren();
    group.setAttribute("aria-label", title);
    const none = () => {
      model.send({ kind: "choose" });
      rephrase(place, request);
    };
    const other = small("rephrase", none, "None of these: rephrase");
    other.setAttribute("aria-keyshortcuts", "Escape");
    group.replaceChildren(make("div", { className: "wb-warn" }, title), ...readings.map(reading), other);
    const widget = group.closest(".wb");
    const here = widget?.contains(widget.getRootNode().activeElement);
    if (here) group.querySelector("button").focus({ preventScroll: true });
  });
  // Each reading has a number, but not while one types.
  const keys = (event) => {
    if (group.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const buttons = [...group.querySelectorAll("button")];
    const meant = event.key === "Escape" ? buttons.at(-1) : buttons.slice(0, -1)[Number(event.key) - 1];
    if (!meant) return;
    event.preventDefault();
    meant.click();
  };
  return [group, keys, stop];
};

// The tree of versions, and what turns one of them into the version that is shown.
const versionsOf = (model) => {
  const title = make("summary", {});
  const list = make("div", { className: "wb-list", role: "list", "aria-label": "Versions" });
  const compared = make("div", { className: "wb-changes", role: "status" });
  const panel = make("details", { className: "wb-versions" }, title, list, compared);
  const version = ({ number, depth, words, outcome, current }) => {
    const go = small("show", () => model.send({ kind: "go_to", number }), `Show version ${number}`);
    const compare = small("compare", () => model.send({ kind: "compare", number }), `Compare version ${number} with the one shown`);
    const row = make(
      "div",
      { className: `wb-row wb-change${current ? " wb-current" : ""}`, role: "listitem" },
      make("span", { className: "wb-tag" }, `v${number}`),
      make("span", { className: "wb-what" }, words),
      make("span", { className: "wb-dim" }, outcome),
      current ? make("span", { className: "wb-tag" }, "shown") : go,
      current ? null : compare,
    );
    row.style.marginLeft = `${depth * 18}px`;
    if (current) row.setAttribute("aria-current", "true");
    return row;
  };
  const stops = [
    follow(model, ["versions"], () => {
      const versions = model.get("versions");
      panel.hidden = !versions.length;
      title.textContent = `Versions (${versions.length})`;
      refill(list, versions.map(version));
    }),
    follow(model, ["comparison"], () => {
      const { title: name, lines, answer, columns, rows, numbers } = model.get("comparison");
      const changed = (lines ?? []).map(({ kind, line }) => make("div", { className: `wb-code wb-${kind}` }, line));
      const none = changed.length ? [] : [make("div", { className: "wb-dim" }, "The plans are the same.")];
      const close = small("close", () => model.send({ kind: "compare", number: 0 }), "End the comparison");
      const head = make("div", { className: "wb-row" }, make("span", { className: "wb-label" }, name ?? ""), close);
      const became = answer ? [make("div", { className: "wb-dim" }, answer)] : [];
      const table = rows?.length ? [grid(columns, rows, numbers)] : [];
      compared.replaceChildren(...(name ? [head, ...changed, ...none, ...became, ...table] : []));
    }),
  ];
  return [panel, () => stops.forEach((stop) => stop())];
};

// The filters with a list of values: a click leaves one out or takes it back in.
const filterValuesOf = (model) => {
  const list = make("div", { className: "wb-ticks", "aria-label": "Values of filters" });
  const filter = ({ node, field, kin, values }) => {
    const boxes = values.map(({ included }) => make("input", { type: "checkbox", checked: included }));
    const send = () => {
      const places = boxes.flatMap((box, at) => (box.checked ? [at] : []));
      model.send({ kind: "values", node, places });
    };
    const labels = values.map(({ words, added }, at) => {
      boxes[at].addEventListener("change", send);
      const about = added ? { title: "added: another spelling or a kind of it" } : {};
      return make("label", about, boxes[at], ` ${words}`);
    });
    return make(
      "div",
      { className: "wb-row", role: "group", "aria-label": `Values of ${field}` },
      make("span", { className: "wb-tag" }, String(node)),
      make("span", { className: "wb-dim" }, field),
      labels,
      kin ? make("span", { className: "wb-warn" }, kin) : null,
    );
  };
  // What is sent and refused is drawn as it was.
  return [list, follow(model, ["filter_values", "trouble"], () => refill(list, model.get("filter_values").map(filter)))];
};

// Spellings that may count as one, and those that do: a click merges them or takes them apart.
const mergesOf = (model) => {
  const merges = model.get("merges");
  const boxes = merges.map(({ agreed }) => make("input", { type: "checkbox", checked: agreed }));
  const send = () => {
    const places = boxes.flatMap((box, at) => (box.checked ? [at] : []));
    model.send({ kind: "merge", places });
  };
  const label = ({ words, agreed }, at) => {
    boxes[at].addEventListener("change", send);
    return make("label", { className: agreed ? "" : "wb-warn" }, boxes[at], ` ${words}`);
  };
  const group = { className: "wb-ticks wb-merges", role: "group", "aria-label": "Spellings that count as one" };
  return merges.length ? [make("div", group, merges.map(label))] : [];
};

// The answer as one number: large, marked where it must not be read alone.
const figure = (model, { node, title, number }) => {
  const { mark, range } = model.get("notes");
  const { words, documents } = number;
  const counted = `${documents.toLocaleString()} ${documents === 1 ? "document" : "documents"} behind it`;
  const why = () => model.send({ kind: "why", node, row: null });
  return make(
    "div",
    { className: `wb-row wb-answer${range ? " wb-warn" : ""}` },
    make("span", { className: "wb-label" }, title),
    make("strong", { className: "wb-figure" }, mark ? `${mark} ${words}` : words),
    range ? make("span", { className: "wb-range" }, range) : null,
    documents ? small(counted, why, counted) : make("span", { className: "wb-dim" }, "no document behind it"),
  );
};

// The rows that a step gave. A row leads to the documents behind it.
const outputOf = (model) => {
  const place = make("section", { className: "wb-output", "aria-label": "Output" });
  const rowsOf = ({ title, node, columns, rows, numbers, offset, limit, total }) => {
    const turn = (by) => () => model.send({ kind: "output", node, offset: offset + by });
    const back = small("‹ back", turn(-limit), "Previous rows");
    const on = small("next ›", turn(limit), "Next rows");
    back.disabled = offset === 0;
    on.disabled = offset + rows.length >= total;
    const { mark, range } = model.get("notes");
    const head = make(
      "div",
      { className: "wb-row" },
      make("span", { className: "wb-label wb-title" }, title),
      range ? make("strong", { className: "wb-warn" }, `${mark} ${range}`) : null,
      ...(total > limit
        ? [make("span", { className: "wb-dim" }, `${offset + 1} to ${offset + rows.length}`), back, on]
        : []),
    );
    const body = grid(columns, rows, numbers);
    [...body.tBodies[0].rows].forEach((row, at) => {
      const number = offset + at;
      const why = () => model.send({ kind: "why", node, row: number });
      row.classList.add("wb-open");
      row.addEventListener("click", why);
      row.prepend(make("td", {}, small("why", () => {}, `Show the documents behind row ${number + 1}`)));
    });
    body.tHead.rows[0].prepend(make("th", {}, make("span", { className: "wb-unseen" }, "why")));
    return [head, body];
  };
  // What the steps did in one line; in the colour of warnings what they left out.
  const beside = () => {
    const { story, unused, footnotes = [], warnings = [] } = model.get("notes");
    const left = ({ text, node_id: node, field }) => {
      const open = () => model.send({ kind: "left_out", node, field });
      const review = () => model.send({ kind: "review", node, field });
      const words = button(text, open, { className: "wb-link wb-warn wb-footnote", title: "Show these documents" });
      const check = small("review", review, `Review the values: ${text}`);
      check.setAttribute("aria-keyshortcuts", "c");
      return make("div", { className: "wb-row wb-left-out" }, words, check);
    };
    const line = (text, look) => make("div", { className: look }, text);
    return [
      ...(story ? [line(story, "wb-dim")] : []),
      ...(unused ? [line(unused, "wb-warn wb-unused")] : []),
      ...footnotes.map(left),
      ...warnings.map((text) => line(text, "wb-warn")),
    ];
  };
  const draw = () => {
    const output = model.get("output");
    if (!output.title) return place.replaceChildren();
    const answer = output.number ? [figure(model, output)] : rowsOf(output);
    const notes = make("div", { className: "wb-beside", role: "note" }, beside());
    place.replaceChildren(...answer, notes, ...mergesOf(model));
  };
  return [place, follow(model, ["output", "notes", "merges"], draw)];
};

// The documents behind a number or a row, or those left out, the places where their values were
// read, and the page of one of them.
const lineageOf = (model) => {
  const title = make("div", { className: "wb-label", role: "status" });
  const list = choices("Documents behind the answer");
  list.classList.add("wb-places");
  const rest = make("div", {});
  const { page, layer, show, end } = sheet();
  const { words: reading, show: read } = reader("Text of the document", ({ id: element, box }) => {
    const { document, page: number } = model.get("place");
    look(document, number, box, element, null);
  });
  const panes = make("div", { className: "wb-panes" }, make("div", {}, list, rest), make("div", {}, page, reading));
  const panel = make("section", { className: "wb-lineage", "aria-label": "Lineage" }, title, panes);
  const look = (document, number, box, element, field) =>
    model.send({ kind: "look", document, page: number, box, element, field });
  const same = (one, two) => JSON.stringify(one ?? null) === JSON.stringify(two ?? null);
  const document_ = ({ id, name, places }) => {
    const shown = model.get("place");
    // Several values may have been read at one place.
    const chosen = ({ name: field, page: number, box, element }) =>
      shown.document === id && shown.page === number && same(shown.box, box) && same(shown.element, element) &&
      (shown.field ?? field) === field;
    const item = ({ name: field, words, sure, doubtful, quote, page: number, box, element }) =>
      choice(chosen({ name: field, page: number, box, element }), () => look(id, number, box, element, field), [
        field ? make("span", { className: "wb-dim" }, `${field}  `) : "",
        make("span", { className: doubtful ? "wb-warn" : "" }, words),
        make("span", { className: doubtful ? "wb-warn wb-sure" : "wb-dim wb-sure" }, sure),
        make("div", { className: "wb-dim wb-quote" }, quote ? `p${number}  “${quote}”` : ""),
      ]);
    const whole = { name: "", words: "open the document", sure: "", doubtful: false, quote: "", page: 1, box: null, element: null };
    const first = places.length ? places : [whole];
    return make("div", { role: "group", "aria-label": name }, make("div", { className: "wb-name" }, name), first.map(item));
  };
  const stops = [
    follow(model, ["lineage", "place"], () => {
      const { title: heading, documents = [], left } = model.get("lineage");
      panel.hidden = !heading;
      title.textContent = heading ?? "";
      const further = () => model.send({ kind: "more" });
      const more = left ? [small(`${left.toLocaleString()} more …`, further, "Show further documents")] : [];
      refill(list, documents.map(document_));
      refill(rest, more);
    }),
    follow(model, ["place", "picture", "reading"], () => {
      const { document: id, page: number, box, element } = model.get("place");
      const words = model.get("reading");
      page.hidden = id === undefined || words.length > 0;
      read(words, element);
      show(model.get("picture"), id ? `Page ${number}` : "");
      layer.replaceChildren(...(box ? [boxed(box, { "aria-selected": "true" })] : []));
      if (id) page.scrollIntoView({ block: "nearest" });
    }),
    end,
  ];
  return [panel, () => stops.forEach((stop) => stop())];
};

// The review of what an answer left out: a widget of its own inside this one.
const reviewOf = (model) => {
  const place = make("section", { className: "wb-review", "aria-label": "Review", hidden: true });
  let view = null;
  const draw = async () => {
    const name = model.get("reviewer");
    view?.remove();
    view = null;
    place.replaceChildren();
    place.hidden = !name;
    if (!name) return;
    const child = await model.widget_manager.get_model(name.replace("IPY_MODEL_", ""));
    const made = await model.widget_manager.create_view(child);
    if (model.get("reviewer") !== name) return made.remove();
    view = made;
    const done = small("done: run again", () => model.send({ kind: "review" }), "End the review; the plan runs again where a value was changed");
    place.replaceChildren(make("div", { className: "wb-row" }, make("span", { className: "wb-label" }, "Review"), done), view.el);
    view.el.querySelector("button, input, [tabindex]")?.focus();
  };
  const stop = follow(model, ["reviewer"], draw);
  return [place, () => (stop(), view?.remove())];
};

// `c` reviews what the first remark is about, as in the terminal, but not while one types.
const reviewKey = (output) => (event) => {
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  if (typing || event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey) return;
  output.querySelector("[aria-keyshortcuts=c]")?.click();
};

// Undo and redo by the keys of the system, but not while one types.
const undoKeys = (model) => (event) => {
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  if (typing || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  const kind = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
  if (!kind) return;
  event.preventDefault();
  if (model.get(`can_${kind}`)) model.send({ kind });
};

function render({ model, el }) {
  const question = make("strong", { className: "wb-title" });
  const others = make("select", {
    "aria-label": "Questions about this DocSet",
    onchange: (event) => event.target.value && model.send({ kind: "open", id: event.target.value }),
  });
  const version = make("span", { className: "wb-dim" });
  const undo = button("undo", () => model.send({ kind: "undo" }), { title: "Ctrl+Z" });
  const redo = button("redo", () => model.send({ kind: "redo" }), { title: "Ctrl+Shift+Z" });
  const run = button("run", () => model.send({ kind: model.get("running") ? "stop" : "run" }), { className: "wb-main" });
  const head = make("div", { className: "wb-row wb-head" }, question, version, undo, redo, run);
  const [again, stopAgain] = asking(model, "New question", "Ask something about the documents", "ask", (text) =>
    model.send({ kind: "ask", text }),
  );
  const [feedback, stopFeedback] = asking(model, "Feedback", "Feedback in words, for instance: only 2023", "change", (text) =>
    model.send({ kind: "feedback", text }),
  );
  again.append(others);
  const rephrase = (place, request) => {
    const words = (place === "question" ? again : feedback).querySelector("input");
    words.value = request;
    words.focus();
  };
  const [readings, choiceKeys, stopChoices] = choicesOf(model, rephrase);
  const remarks = make("div", { role: "status" });
  const [line, stopStatus] = status(model);
  const [graph, stopSteps] = stepsOf(model);
  const [form, stopForm] = planForm(model);
  const [filterValues, stopFilterValues] = filterValuesOf(model);
  const [changes, stopChanges] = changesOf(model);
  const [versions, stopVersions] = versionsOf(model);
  const [output, stopOutput] = outputOf(model);
  const [lineage, stopLineage] = lineageOf(model);
  const [review, stopReview] = reviewOf(model);
  const stops = [
    stopStatus, stopAgain, stopFeedback, stopChoices, stopSteps, stopForm, stopFilterValues, stopChanges, stopVersions, stopOutput,
    stopLineage, stopReview,
    follow(model, ["question", "version", "questions"], () => {
      question.textContent = model.get("question") || "No question yet";
      version.textContent = model.get("version");
      const options = model.get("questions").map(({ id, text, current }) =>
        make("option", { value: id, selected: current }, text),
      );
      const none = make("option", { value: "" }, "earlier questions");
      others.replaceChildren(...(options.some((one) => one.selected) ? [] : [none]), ...options);
      others.hidden = options.length < 2;
    }),
    follow(model, ["can_undo", "can_redo", "busy", "running", "steps"], () => {
      const running = model.get("running");
      undo.disabled = !model.get("can_undo");
      redo.disabled = !model.get("can_redo");
      run.textContent = running ? "stop" : "run";
      run.disabled = !model.get("steps").length || (model.get("busy") && !running);
      feedback.hidden = !model.get("steps").length;
    }),
    follow(model, ["remarks"], () =>
      remarks.replaceChildren(
        ...model.get("remarks").map(({ kind, text }) => make("div", { className: `wb-remark wb-${kind}` }, text)),
      ),
    ),
  ];
  const all = [head, line, readings, graph, form, filterValues, feedback, changes, remarks, output, review, lineage, versions, again];
  const widget = frame("wb-plan", ...all);
  widget.addEventListener("keydown", undoKeys(model));
  widget.addEventListener("keydown", choiceKeys);
  widget.addEventListener("keydown", reviewKey(output));
  el.append(widget);
  return () => stops.forEach((stop) => stop());
}

export default { render };
