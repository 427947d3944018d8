const KINDS = [
  ["hybrid", "both"],
  ["lexical", "words"],
  ["keyword", "literal"],
  ["vector", "meaning"],
];

function render({ model, el }) {
  const menu = (trait, values, label) => {
    const options = values.map(([value, text]) => make("option", { value }, text));
    return make(
      "select",
      {
        "aria-label": label,
        onchange: (event) => search({ [trait]: event.target.value }),
      },
      options,
    );
  };
  const query = make("input", { type: "search", placeholder: "Search", "aria-label": "Query" });
  const where = make("input", {
    type: "text",
    placeholder: "where, for instance year >= 2020",
    "aria-label": "Filter",
    autocomplete: "off",
    spellcheck: false,
  });
  const [filter, propose] = completing(where, "Completions", (text, cursor) =>
    model.send({ kind: "complete", text, cursor }),
  );
  const kind = menu("search_kind", KINDS, "Kind of search");
  const what = menu("return_type", [["element", "elements"], ["doc", "documents"]], "Find");
  const search = (chosen = {}) => {
    // The fields are read first: each `set` redraws all of them from the model.
    const wanted = { query: query.value, where: where.value, ...chosen };
    for (const [name, value] of Object.entries(wanted)) model.set(name, value);
    model.save_changes();
    model.send({ kind: "search" });
  };
  const earlier = make("select", {
    "aria-label": "Earlier searches",
    onchange: (event) => {
      model.send({ kind: "recall", place: Number(event.target.value) });
      event.target.value = "";
    },
  });
  const form = make(
    "form",
    {
      className: "wb-row",
      onsubmit: (event) => {
        event.preventDefault();
        search();
      },
    },
    query,
    kind,
    what,
    make("button", { type: "submit", className: "wb-main" }, "search"),
    filter,
    earlier,
  );
  const facets = make("div", { className: "wb-list", "aria-label": "Facets" });
  const summary = make("div", { className: "wb-dim", role: "status" });
  const hits = choices("Hits");
  let first;
  const more = make(
    "button",
    { type: "button", className: "wb-small", onclick: () => model.send({ kind: "more" }) },
    "more hits",
  );
  const [line, stopStatus] = status(model);

  const facet = ({ field, values, place }) =>
    make(
      "fieldset",
      { className: "wb-facet" },
      make("legend", { className: "wb-label" }, field.replaceAll("_", " ")),
      values.map(({ text, count, picked }, value) =>
        make(
          "label",
          {},
          make("input", {
            type: "checkbox",
            checked: picked,
            onchange: () => model.send({ kind: "pick", facet: place, value }),
          }),
          make("span", {}, text),
          make("span", { className: "wb-dim" }, count === null ? "" : count.toLocaleString()),
        ),
      ),
    );
  const hit = ({ pieces, place }, number) =>
    choice(number === model.get("selected"), () => keep(model, "selected", number), [
      make("div", {}, pieces.map(([text, matched]) => (matched ? make("mark", {}, text) : text))),
      make("div", { className: "wb-dim" }, place),
    ]);
  const stops = [
    stopStatus,
    follow(model, ["query", "where", "search_kind", "return_type"], () => {
      query.value = model.get("query");
      where.value = model.get("where");
      kind.value = model.get("search_kind");
      what.value = model.get("return_type");
    }),
    follow(model, ["facets"], () => refill(facets, model.get("facets").map(facet))),
    follow(model, ["summary"], () => (summary.textContent = model.get("summary"))),
    follow(model, ["more"], () => (more.hidden = !model.get("more"))),
    follow(model, ["proposals"], () => propose({ text: null, items: [], ...model.get("proposals") })),
    follow(model, ["earlier"], () => {
      const options = model.get("earlier").map((text, value) => make("option", { value }, text));
      earlier.replaceChildren(make("option", { value: "" }, "earlier searches"), ...options);
      earlier.hidden = !options.length;
    }),
    follow(model, ["shown", "selected"], () => {
      const now = model.get("shown");
      if (JSON.stringify(now[0]) !== JSON.stringify(first)) hits.scrollTop = 0; // another search
      first = now[0];
      refill(hits, now.map(hit));
      reveal(hits);
    }),
  ];
  const panes = make("div", { className: "wb-panes" }, facets, make("div", {}, summary, hits, more));
  el.append(frame("wb-search", form, line, panes));
  return () => stops.forEach((stop) => stop());
}

export default { render };
