const SVG = "http://www.w3.org/2000/svg";

const shape = (name, attributes, ...children) => {
  const drawn = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) drawn.setAttribute(key, value);
  drawn.append(...children);
  return drawn;
};

// A page: its picture, and over it a layer with the coordinates of boxes, which are fractions of the
// page. `show` takes the bytes of the picture, none for a blank page; `end` lets go of them.
const sheet = () => {
  const image = make("img", { alt: "" });
  const layer = shape("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" });
  const page = make("div", { className: "wb-page" }, image, layer);
  let url = null;
  const end = () => url && URL.revokeObjectURL(url);
  const show = (bytes, alt) => {
    end();
    url = bytes?.byteLength ? URL.createObjectURL(new Blob([bytes])) : null;
    image.hidden = url === null;
    image.alt = alt;
    if (url) image.src = url;
    page.classList.toggle("wb-blank", url === null);
  };
  return { page, layer, show, end };
};

const boxed = ([x1, y1, x2, y2], attributes) =>
  shape("rect", { x: x1, y: y1, width: x2 - x1, height: y2 - y1, ...attributes });

// A document without pages, as text: its elements below each other, of which one can be chosen.
const reader = (label, choose) => {
  const words = choices(label);
  words.classList.add("wb-reading");
  const show = (elements, selected) => {
    words.hidden = !elements.length;
    refill(
      words,
      elements.map((element) => {
        const { table } = element;
        const left = table?.left ? [make("div", { className: "wb-dim" }, `… and ${table.left.toLocaleString()} more rows`)] : [];
        const shown = table ? [grid(table.columns, table.rows), ...left] : [element.text || "—"];
        const piece = choice(element.id === selected, () => choose(element), shown);
        piece.classList.add(`wb-is-${element.kind.toLowerCase()}`);
        piece.title = element.kind;
        return piece;
      }),
    );
    reveal(words);
  };
  return { words, show };
};
