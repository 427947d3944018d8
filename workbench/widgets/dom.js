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

// Sets a value of the model, here and in Python.
const keep = (model, name, value) => {
  model.set(name, value);
  model.save_changes();
};

// An id that nothing else on the page has.
const fresh = () => `wb-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

// New children for a place. Whoever was in it with the keyboard stays where they were: on the same
// control, or on the nearest one that can still be used.
const refill = (place, children) => {
  const controls = () => [...place.querySelectorAll("button, input, [tabindex]")];
  const focused = controls().indexOf(place.getRootNode().activeElement);
  place.replaceChildren(...children);
  if (focused < 0) return;
  const now = controls();
  const usable = [...now.slice(focused), ...now.slice(0, focused).reverse()].find((c) => !c.disabled);
  usable?.focus({ preventScroll: true });
};

// Makes `list` a list of which one can be chosen: by mouse, or with the arrow keys, Home, End and
// Enter. Tab enters it at what is chosen and leaves it again, however long it is.
const roving = (list) => {
  const options = () => [...list.querySelectorAll("[role=option]")];
  list.addEventListener("keydown", (event) => {
    const items = options();
    const at = items.indexOf(event.target);
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const goal = { Home: 0, End: items.length - 1 }[event.key] ?? at + by;
    if (at < 0 || !items[goal]) return;
    event.preventDefault();
    items[goal].focus();
  });
  new MutationObserver(() => {
    const items = options();
    const first = items.find((item) => item.ariaSelected === "true") ?? items[0];
    for (const item of items) item.setAttribute("tabindex", item === first ? 0 : -1);
  }).observe(list, { childList: true });
  return list;
};

const choices = (label) =>
  roving(make("div", { className: "wb-list", role: "listbox", "aria-label": label }));

const choice = (chosen, act, children) =>
  make(
    "button",
    {
      type: "button",
      className: "wb-item",
      role: "option",
      "aria-selected": String(chosen),
      onclick: act,
    },
    children,
  );

const ENDED = ["starting", "restarting", "autorestarting", "terminating", "dead"];

// Says when nobody in the kernel hears the widget any more, and offers to run its cell again. While
// the widget is in the page, the snapshot below it is hidden.
const connection = (model) => {
  const snapshot = `.jp-OutputArea-child:has(.wb-snapshot-${model.get("snapshot_id")})`;
  const style = make("style", {}, `${snapshot} { display: none; }`);
  const again = make("button", { type: "button", className: "wb-small" }, "run the cells up to here");
  const words = "Disconnected: the kernel was restarted or has ended. This is the last state.";
  const line = make("div", { className: "wb-row wb-gone wb-warn", role: "alert", hidden: true }, words, again);
  again.addEventListener("click", () => runUpTo(line.closest(".jp-Cell")));
  const tell = () => {
    line.hidden = false;
    again.hidden = !cellsUpTo(line.closest(".jp-Cell")).length;
  };
  const closed = () => line.closest(".jupyter-widgets-disconnected") && tell();
  const changed = (_, state) => ENDED.includes(state) && tell();
  const session = model.widget_manager?.context?.sessionContext; // JupyterLab's; others have none
  session?.statusChanged.connect(changed);
  model.on("comm_live_update", closed);
  const stop = () => {
    session?.statusChanged.disconnect(changed);
    model.off("comm_live_update", closed);
  };
  return [[style, line], stop];
};

// Lines that say what goes on, what went wrong, and whether anybody hears.
const status = (model) => {
  const line = make("div", { className: "wb-status", role: "status" });
  const [gone, stopGone] = connection(model);
  const stop = follow(model, ["busy", "trouble"], () => {
    const trouble = model.get("trouble");
    line.textContent = trouble || (model.get("busy") ? "…" : "");
    line.classList.toggle("wb-trouble", Boolean(trouble));
  });
  return [[gone, line].flat(), () => (stop(), stopGone())];
};

// The cells of a JupyterLab notebook from the first to `last`; none where it keeps only some of them
// in the page.
const cellsUpTo = (last) => {
  const cells = [...(last?.closest(".jp-Notebook")?.querySelectorAll(".jp-Cell") ?? [])];
  const first = cells[0]?.dataset.windowedListIndex ?? "0";
  return first === "0" ? cells.slice(0, cells.indexOf(last) + 1) : [];
};

// Runs them by the notebook's own key: after a restart a cell needs what those above it made.
const runUpTo = (last) => {
  const cells = cellsUpTo(last);
  const notebook = last.closest(".jp-Notebook");
  for (const kind of ["mousedown", "mouseup"])
    cells[0].querySelector(".jp-InputPrompt")?.dispatchEvent(new MouseEvent(kind, { bubbles: true, button: 0 }));
  notebook.focus();
  const key = { key: "Enter", code: "Enter", keyCode: 13, shiftKey: true, bubbles: true, cancelable: true };
  for (const _ of cells) notebook.dispatchEvent(new KeyboardEvent("keydown", key));
};

// Sends what stands in a field. It goes away when that has succeeded: what was refused stays, to be
// mended.
const sending = (model, field, send) => {
  let sent = null;
  const act = (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    sent = field.value;
    send(sent);
  };
  const stop = follow(model, ["busy"], () => {
    if (sent === null || model.get("busy")) return;
    if (!model.get("trouble") && field.value === sent) field.value = "";
    sent = null;
  });
  return [act, stop];
};

// Values in words: the items of a list, the named parts of an object.
const show = (value) => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(show).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, part]) => `${name}: ${show(part)}`).join(", ");
};

// A table. `numbers` are the columns that stand on the right; Python has put their values into words.
const grid = (columns, rows, numbers = []) => {
  const cell = (value, at) => make("td", { className: numbers[at] ? "wb-number" : "" }, show(value));
  const head = (name, at) => make("th", { className: numbers[at] ? "wb-number" : "" }, name);
  return make(
    "table",
    { className: "wb-grid" },
    make("thead", {}, make("tr", {}, columns.map(head))),
    make(
      "tbody",
      {},
      rows.map((row) => make("tr", {}, row.map(cell))),
    ),
  );
};

// Brings what is chosen in a list into sight, without moving the page.
const reveal = (list) => {
  const chosen = list.querySelector("[aria-selected=true]");
  if (!chosen) return;
  const [inner, outer] = [chosen.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - 40;
};

