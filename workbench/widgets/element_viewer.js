function render({ model, el }) {
  const turn = (by) => model.send({ kind: "page", page: model.get("page") + by });
  const back = make("button", { type: "button", onclick: () => turn(-1) }, "‹ back");
  const on = make("button", { type: "button", onclick: () => turn(1) }, "next ›");
  const title = make("strong", { className: "wb-title" });
  const place = make("span", { className: "wb-dim" });
  const { page: paper, layer, show, end } = sheet();
  layer.setAttribute("role", "listbox");
  layer.setAttribute("aria-label", "Elements of the page");
  roving(layer);
  const { words: reading, show: read } = reader("Text of the document", ({ id }) => choose(id));
  const list = choices("Elements in reading order");
  const text = make("div", { className: "wb-words", role: "status" });
  const values = choices("Values of the document");
  values.classList.add("wb-values");
  const remarks = make("div", { className: "wb-changed", role: "note" });
  const [line, stopStatus] = status(model);

  const choose = (id) => keep(model, "selected", id);
  const outline = ({ id, kind, box, text: words }) => {
    const rect = boxed(box, {
      tabindex: -1,
      role: "option",
      "aria-label": `${kind}: ${words.slice(0, 80)}`,
      "aria-selected": String(id === model.get("selected")),
    });
    rect.append(shape("title", {}, kind));
    rect.addEventListener("click", () => choose(id));
    rect.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(id);
    });
    return rect;
  };
  const item = ({ id, kind, text: words }) =>
    choice(id === model.get("selected"), () => choose(id), [
      make("span", { className: "wb-tag" }, kind),
      ` ${words.length > 90 ? `${words.slice(0, 90)}…` : words}`,
    ]);
  // A value, how sure it is, and a way to its place; guesses stand below the value they are for.
  const value = ({ name, words, sure, doubtful, guess, page: stands }, place) => {
    const { name: marked, page: shown } = model.get("mark");
    const act = () => model.send({ kind: "value", place });
    const row = choice(!guess && marked === name && shown === stands, act, [
      make("span", { className: "wb-dim" }, guess ? "perhaps  " : `${name}  `),
      make("span", { className: doubtful ? "wb-warn" : "" }, words),
      make("span", { className: `wb-sure ${doubtful ? "wb-warn" : "wb-dim"}` }, sure),
    ]);
    row.disabled = stands === null;
    if (guess) row.classList.add("wb-guess");
    return row;
  };
  const alt = () => {
    const name = model.get("title");
    return name ? `Page ${model.get("page")} of ${name}` : "";
  };
  const stops = [
    stopStatus,
    follow(model, ["picture", "title"], () => show(model.get("picture"), alt())),
    follow(model, ["values", "mark"], () => refill(values, model.get("values").map(value))),
    follow(model, ["boxes", "selected", "picture", "mark", "page"], () => {
      const boxes = model.get("boxes");
      const paged = Boolean(model.get("picture")?.byteLength);
      paper.hidden = !paged;
      read(paged ? [] : boxes, model.get("selected"));
      const { page: marked, box, name } = model.get("mark");
      const place = box && marked === model.get("page") ? [boxed(box, { class: "wb-mark" })] : [];
      if (place.length) place[0].append(shape("title", {}, name));
      refill(layer, [...boxes.map(outline), ...place]);
      refill(list, boxes.map(item));
      reveal(list);
      const chosen = boxes.find(({ id }) => id === model.get("selected"));
      text.hidden = !chosen;
      text.replaceChildren(
        ...(chosen ? [make("span", { className: "wb-tag" }, chosen.kind), ` ${chosen.text}`] : []),
      );
    }),
    follow(model, ["page", "pages", "title"], () => {
      const [page, pages] = [model.get("page"), model.get("pages")];
      const name = model.get("title");
      title.textContent = name || "No document yet";
      place.textContent = name ? `page ${page} of ${pages}` : "";
      back.disabled = page <= 1;
      on.disabled = page >= pages;
    }),
    follow(model, ["remarks"], () => {
      const lines = model.get("remarks") ?? [];
      remarks.hidden = !lines.length;
      remarks.replaceChildren(...lines.map((remark) => make("div", {}, remark)));
    }),
    end,
  ];
  const head = make("div", { className: "wb-row wb-head" }, title, place, back, on);
  const panes = make("div", { className: "wb-panes" }, make("div", {}, paper, reading), make("div", {}, values, text, list));
  el.append(frame("wb-viewer", head, line, remarks, panes));
  return () => stops.forEach((stop) => stop());
}

export default { render };
