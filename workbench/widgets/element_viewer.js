const SVG = "http://www.w3.org/2000/svg";

function render({ model, el }) {
  const turn = (by) => model.send({ kind: "page", page: model.get("page") + by });
  const back = make("button", { type: "button", onclick: () => turn(-1) }, "‹ back");
  const on = make("button", { type: "button", onclick: () => turn(1) }, "next ›");
  const title = make("strong", { className: "wb-title" });
  const place = make("span", { className: "wb-dim" });
  const image = make("img", { alt: "" });
  const overlay = document.createElementNS(SVG, "svg");
  overlay.setAttribute("viewBox", "0 0 1 1");
  overlay.setAttribute("preserveAspectRatio", "none");
  overlay.setAttribute("role", "listbox");
  overlay.setAttribute("aria-label", "Elements of the page");
  roving(overlay);
  const sheet = make("div", { className: "wb-page" }, image, overlay);
  const text = make("div", { className: "wb-words", role: "status" });
  const [line, stopStatus] = status(model);

  const choose = (id) => keep(model, "selected", id);
  const outline = ({ id, kind, box: [x1, y1, x2, y2], text: words }) => {
    const rect = document.createElementNS(SVG, "rect");
    const shape = { x: x1, y: y1, width: x2 - x1, height: y2 - y1, tabindex: -1, role: "option" };
    for (const [name, value] of Object.entries(shape)) rect.setAttribute(name, value);
    rect.setAttribute("aria-label", `${kind}: ${words.slice(0, 80)}`);
    rect.setAttribute("aria-selected", String(id === model.get("selected")));
    rect.append(document.createElementNS(SVG, "title"));
    rect.firstChild.textContent = kind;
    rect.addEventListener("click", () => choose(id));
    rect.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(id);
    });
    return rect;
  };
  let url = null;
  const draw = () => {
    const bytes = model.get("picture");
    if (url) URL.revokeObjectURL(url);
    url = bytes && bytes.byteLength ? URL.createObjectURL(new Blob([bytes])) : null;
    image.hidden = url === null;
    if (url) image.src = url;
    sheet.classList.toggle("wb-blank", url === null);
  };
  const stops = [
    stopStatus,
    follow(model, ["picture"], draw),
    follow(model, ["boxes", "selected"], () => {
      const boxes = model.get("boxes");
      refill(overlay, boxes.map(outline));
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
      image.alt = name ? `Page ${page} of ${name}` : "";
      back.disabled = page <= 1;
      on.disabled = page >= pages;
    }),
    () => url && URL.revokeObjectURL(url),
  ];
  const head = make("div", { className: "wb-row wb-head" }, title, place, back, on);
  el.append(frame("wb-viewer", head, line, sheet, text));
  return () => stops.forEach((stop) => stop());
}

export default { render };
