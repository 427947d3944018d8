function render({ model, el }) {
  const tell = (kind, more = {}) => model.send({ kind, ...more });
  const title = make("strong", { className: "wb-title" });
  const documentName = make("span", { className: "wb-dim" });
  const bar = make("progress", { max: 1, "aria-label": "Reviewed values" });
  const place = make("span", { className: "wb-dim" });
  const about = make("div", { className: "wb-dim" });
  const list = choices("Possible values");
  const { page: paper, layer, show, end } = sheet();
  const { words: reading, show: read } = reader("Text of the document", () => {});
  const where = make("div", { className: "wb-dim" });
  const [line, stopStatus] = status(model);

  const field = make("input", { type: "text", placeholder: "another value", "aria-label": "Another value" });
  const [act, stopSending] = sending(model, field, (text) => tell("type", { text }));
  const form = make("form", { className: "wb-row", onsubmit: act }, field, make("button", {}, "set"));
  const button = (kind, words, key) =>
    make("button", { type: "button", title: `key ${key}`, onclick: () => tell(kind) }, words);
  const none = button("none", "there is none", "n");
  const skip = button("skip", "skip", "s");
  const back = button("back", "back", "b");
  const again = make(
    "button",
    { type: "button", className: "wb-main", onclick: () => tell("reread") },
    "read the documents again with these values",
  );
  const byItself = make("input", {
    type: "checkbox",
    onchange: () => tell("always", { wanted: byItself.checked }),
  });
  const always = make("label", { className: "wb-dim" }, byItself, " read them again after each correction");

  const option = ({ key, words, none: empty, sure, page, quote, chosen }, at) => {
    const row = choice(at === model.get("shown_choice"), () => tell("choose", { place: at }), [
      make("span", { className: "wb-tag" }, key),
      make("strong", { className: empty ? "wb-dim" : "" }, ` ${words} `),
      chosen ? make("span", { className: "wb-changed" }, "✓ your choice ") : null,
      make("span", { className: "wb-dim" }, [sure, page ? `page ${page}` : ""].filter(Boolean).join(" · ")),
      quote.join("")
        ? make("div", { className: "wb-dim" }, `“${quote[0]}`, make("mark", {}, quote[1]), `${quote[2]}”`)
        : null,
    ]);
    row.addEventListener("mouseenter", () => at !== model.get("shown_choice") && tell("look", { place: at }));
    return row;
  };
  const change = ({ id, name, field: of, before, after, sure, page, quote }) =>
    make(
      "div",
      { className: "wb-change wb-row", title: quote },
      make("span", { className: "wb-what" }, make("strong", {}, of), make("span", { className: "wb-dim" }, `  ${name}`)),
      make("span", { className: "wb-removed" }, before),
      make("span", { className: "wb-dim" }, "→"),
      make("span", { className: "wb-added" }, after),
      make("span", { className: "wb-dim" }, [sure, page ? `page ${page}` : ""].filter(Boolean).join(" · ")),
      make("button", { type: "button", className: "wb-small", onclick: () => tell("accept", { id }) }, "accept"),
      make("button", { type: "button", className: "wb-small", onclick: () => tell("refuse", { id }) }, "refuse"),
    );
  const changesHead = make("strong", {}, "Changes");
  const changesWords = make("span", { className: "wb-dim wb-title" });
  const all = make("button", { type: "button", onclick: () => tell("accept") }, "accept all");
  const undo = make("button", { type: "button", onclick: () => tell("undo") }, "undo all");
  const changesRow = make("div", { className: "wb-row" }, changesHead, changesWords, all, undo);
  const changesList = make("div", { className: "wb-list" });
  const changes = make("div", { className: "wb-changes" }, changesRow, changesList);

  const head = make("div", { className: "wb-row wb-head" }, title, documentName, bar, place);
  const keys = make("div", { className: "wb-row" }, none, skip, back);
  const left = make("div", { className: "wb-deciding" }, about, list, form, keys);
  const panes = make("div", { className: "wb-panes" }, left, make("div", {}, where, paper, reading));
  const outer = frame("wb-reviewer", head, line, panes, make("div", { className: "wb-row" }, again, always), changes);
  const hint = "Enter accepts the first value, a number picks another; n: no value, t: type, s: skip, b: back.";
  left.append(make("div", { className: "wb-dim" }, hint));
  outer.tabIndex = 0;
  outer.addEventListener("keydown", (event) => {
    if (event.target === field || event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = { n: "none", s: "skip", b: "back" }[event.key];
    const number = Number(event.key);
    const onButton = event.target !== outer && event.target.tagName === "BUTTON";
    if (event.key === "Enter" && !onButton) tell("choose", { place: 0 });
    else if (number >= 1 && number < model.get("options").length) tell("choose", { place: number });
    else if (event.key === "t") field.focus();
    else if (kind) tell(kind);
    else return;
    event.preventDefault();
  });

  const stops = [
    stopStatus,
    stopSending,
    follow(model, ["progress"], () => {
      const { words, share, ended, changed } = model.get("progress");
      place.textContent = words ?? "";
      bar.value = share ?? 0;
      panes.hidden = Boolean(ended);
      again.hidden = !changed;
    }),
    follow(model, ["always"], () => (byItself.checked = Boolean(model.get("always")))),
    follow(model, ["value"], () => {
      const { field: of, name, description } = model.get("value");
      title.textContent = of ?? "Review";
      documentName.textContent = name ?? "";
      about.textContent = description ?? "";
    }),
    follow(model, ["options"], () => refill(list, model.get("options").map(option))),
    follow(model, ["shown_choice"], () =>
      [...list.children].forEach((row, at) => (row.ariaSelected = String(at === model.get("shown_choice")))),
    ),
    follow(model, ["picture", "page", "boxes"], () => {
      const { number, of, box, element } = model.get("page");
      const paged = Boolean(model.get("picture")?.byteLength);
      show(model.get("picture"), number ? `Page ${number}` : "");
      where.textContent = of ? `page ${number} of ${of}` : "";
      paper.hidden = !paged;
      refill(layer, paged && box ? [boxed(box, { class: "wb-mark" })] : []);
      read(paged ? [] : model.get("boxes"), element);
    }),
    follow(model, ["changes"], () => {
      const { words, items, accepted } = model.get("changes");
      changes.hidden = !words;
      changesWords.textContent = words ?? "";
      refill(changesList, (items ?? []).map(change));
      all.disabled = !items?.length;
      undo.disabled = !accepted;
    }),
    end,
  ];
  el.append(outer);
  return () => stops.forEach((stop) => stop());
}

export default { render };
