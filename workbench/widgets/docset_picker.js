function render({ model, el }) {
  const words = make("input", {
    type: "search",
    placeholder: "Name of a DocSet",
    "aria-label": "Filter the DocSets by name",
    oninput: () => draw(),
  });
  const again = make(
    "button",
    { type: "button", title: "Reload the list", onclick: () => model.send({ kind: "refresh" }) },
    "refresh",
  );
  const list = choices("DocSets");
  const [line, stopStatus] = status(model);
  const item = ({ id, name, about }) =>
    choice(id === model.get("docset_id"), () => keep(model, "docset_id", id), [
      make("span", { className: "wb-name" }, name),
      make("span", { className: "wb-dim" }, about),
    ]);
  const draw = () => {
    const wanted = words.value.trim().toLowerCase();
    const matching = model.get("docsets").filter(({ name }) => name.toLowerCase().includes(wanted));
    const none = make("div", { className: "wb-dim wb-none" }, "No DocSet of that name.");
    refill(list, matching.length || model.get("busy") ? matching.map(item) : [none]);
  };
  const stops = [stopStatus, follow(model, ["docsets", "docset_id", "busy"], draw)];
  el.append(frame("wb-docsets", make("div", { className: "wb-row" }, words, again), line, list));
  return () => stops.forEach((stop) => stop());
}

export default { render };
