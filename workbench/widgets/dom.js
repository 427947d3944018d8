// Shared by all widgets: elements from plain values. Text is set as text and never as markup, so
// nothing that stands in a document can become part of the page.

const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

// The outermost element. The notebook's own keys (enter, letters) must not act while one types here.
const frame = (name, ...children) =>
  make(
    "div",
    {
      className: `wb ${name}`,
      "data-lm-suppress-shortcuts": "true",
      onkeydown: (event) => event.stopPropagation(),
    },
    ...children,
  );

// Draws now and whenever one of the named traits changes; the answer ends it.
const follow = (model, names, draw) => {
  const events = names.map((name) => `change:${name}`);
  for (const event of events) model.on(event, draw);
  draw();
  return () => {
    for (const event of events) model.off(event, draw);
  };
};

// One line that says what goes on, or what went wrong.
const status = (model) => {
  const line = make("div", { className: "wb-status", role: "status" });
  const stop = follow(model, ["busy", "trouble"], () => {
    const trouble = model.get("trouble");
    line.textContent = trouble || (model.get("busy") ? "…" : "");
    line.classList.toggle("wb-trouble", Boolean(trouble));
  });
  return [line, stop];
};

const show = (value) =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const grid = (columns, rows) =>
  make(
    "table",
    { className: "wb-grid" },
    make("thead", {}, make("tr", {}, columns.map((name) => make("th", {}, name)))),
    make(
      "tbody",
      {},
      rows.map((row) => make("tr", {}, row.map((value) => make("td", {}, show(value))))),
    ),
  );

