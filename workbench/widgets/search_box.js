const KINDS = ["hybrid", "lexical", "keyword", "vector"];

function render({ model, el }) {
  const menu = (trait, values, label) => {
    const options = values.map(([value, text]) => make("option", { value }, text));
    return make(
      "select",
      {
        "aria-label": label,
        onchange: (event) => {
          model.set(trait, event.target.value);
          search();
        },
      },
      options,
    );
  };
  const query = make("input", { type: "search", placeholder: "Search", "aria-label": "Query" });
  const where = make("input", {
    type: "text",
    placeholder: "where, for instance properties.entity.year >= 2020",
    "aria-label": "Filter",
  });
  const kind = menu("search_kind", KINDS.map((name) => [name, name]), "Kind of search");
  const what = menu("return_type", [["element", "elements"], ["doc", "documents"]], "Find");
  const search = () => {
    model.set("query", query.value);
    model.set("where", where.value);
    model.save_changes();
    model.send({ kind: "search" });
  };
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
    where,
    make("button", { type: "submit", className: "wb-main" }, "search"),
  );
  const facets = make("div", { className: "wb-list", "aria-label": "Facets" });
  const summary = make("div", { className: "wb-dim", role: "status" });
  const hits = choices("Hits");
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
          make("span", { className: "wb-dim" }, String(count)),
        ),
      ),
    );
  const hit = ({ pieces, place }, number) =>
    choice(number === model.get("selected"), () => keep(model, "selected", number), [
      make("div", {}, pieces.map(([text, found]) => (found ? make("mark", {}, text) : text))),
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
    follow(model, ["shown", "selected"], () => refill(hits, model.get("shown").map(hit))),
  ];
  const panes = make("div", { className: "wb-panes" }, facets, make("div", {}, summary, hits));
  el.append(frame("wb-search", form, line, panes));
  return () => stops.forEach((stop) => stop());
}

export default { render };
