const SVG = "http://www.w3.org/2000/svg";

function render({ model, el }) {
  const turn = (by) => model.send({ kind: "page", page: model.get("page") + by });
  const back = make("button", { type: "button", onclick: () => turn(-1) }, "‹ page");
  const on = make("button", { type: "button", onclick: () => turn(1) }, "page ›");
  const title = make("strong");
  const image = make("img", { alt: "" });
  const overlay = document.createElementNS(SVG, "svg");
  overlay.setAttribute("viewBox", "0 0 1 1");
  overlay.setAttribute("preserveAspectRatio", "none");
  const sheet = make("div", { className: "wb-page" }, image, overlay);
  const text = make("div", { className: "wb-code", role: "status" });
  const [line, stopStatus] = status(model);

  const choose = (id) => {
    model.set("selected", id);
    model.save_changes();
  };
  const outline = ({ id, kind, box: [x1, y1, x2, y2], text: words }) => {
    const rect = document.createElementNS(SVG, "rect");
    const place = { x: x1, y: y1, width: x2 - x1, height: y2 - y1, tabindex: 0, role: "button" };
    for (const [name, value] of Object.entries(place)) rect.setAttribute(name, value);
    rect.setAttribute("aria-label", `${kind}: ${words.slice(0, 80)}`);
    rect.classList.toggle("wb-chosen", id === model.get("selected"));
    rect.addEventListener("click", () => choose(id));
    rect.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose(id);
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
      overlay.replaceChildren(...boxes.map(outline));
      const chosen = boxes.find(({ id }) => id === model.get("selected"));
      text.textContent = chosen ? `${chosen.kind}: ${chosen.text}` : "";
    }),
    follow(model, ["page", "pages", "title"], () => {
      const [page, pages] = [model.get("page"), model.get("pages")];
      title.textContent = `${model.get("title")} · page ${page} of ${pages}`;
      back.disabled = page <= 1;
      on.disabled = page >= pages;
    }),
    () => url && URL.revokeObjectURL(url),
  ];
  const head = make("div", { className: "wb-row" }, back, on, title);
  el.append(frame("wb-viewer", head, line, sheet, text));
  return () => stops.forEach((stop) => stop());
}

export default { render };
