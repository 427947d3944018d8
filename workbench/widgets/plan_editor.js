const SVG = "http://www.w3.org/2000/svg";
const ROW = 30; // pixels, as in the style sheet
const LANE = 16;

// The column of each step. A step goes on in the column of an input that nothing else waits for.
const lanes = (steps) => {
  const lane = new Map();
  const taken = [];
  steps.forEach(({ id, inputs }, at) => {
    const waited = (source) => steps.slice(at + 1).some((later) => later.inputs.includes(source));
    const free = inputs.filter((source) => lane.has(source) && !waited(source));
    for (const source of free) taken[lane.get(source)] = undefined;
    const gap = taken.findIndex((holder) => holder === undefined);
    const own = free.length ? lane.get(free[0]) : gap < 0 ? taken.length : gap;
    taken[own] = id;
    lane.set(id, own);
  });
  return lane;
};

// The graph left of the steps: a dot for each, a line from each input.
const threads = (steps) => {
  const lane = lanes(steps);
  const x = (id) => 10 + lane.get(id) * LANE;
  const y = new Map(steps.map(({ id }, at) => [id, (at + 0.5) * ROW]));
  const draw = (name, attributes) => {
    const shape = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    return shape;
  };
  const line = (from, to) => {
    const [x1, y1, x2, y2] = [x(from), y.get(from), x(to), y.get(to)];
    return draw("path", {
      d: `M${x1} ${y1}V${y2 - ROW}C${x1} ${y2 - ROW / 3} ${x2} ${y2 - ROW / 1.5} ${x2} ${y2}`,
    });
  };
  const width = Math.max(...lane.values()) * LANE + 22;
  const picture = draw("svg", { width, height: steps.length * ROW, "aria-hidden": "true" });
  for (const { id, inputs } of steps) {
    picture.append(...inputs.filter((from) => y.has(from)).map((from) => line(from, id)));
  }
  for (const { id, result } of steps) {
    const look = result ? { r: 5.5, class: "wb-result" } : { r: 4.5 };
    picture.append(draw("circle", { cx: x(id), cy: y.get(id), ...look }));
  }
  return [picture, width];
};

function render({ model, el }) {
  const button = (text, act, about = {}) =>
    make("button", { type: "button", onclick: act, ...about }, text);
  const small = (text, act, label) =>
    button(text, act, { className: "wb-small", title: label, "aria-label": label });
  const question = make("strong", { className: "wb-title" });
  const version = make("span", { className: "wb-dim" });
  const undo = button("undo", () => model.send({ kind: "undo" }));
  const redo = button("redo", () => model.send({ kind: "redo" }));
  const run = button("run", () => model.send({ kind: "run" }), { className: "wb-main" });
  const graph = make("div", { className: "wb-list wb-graph", role: "list", "aria-label": "Plan" });
  const changes = make("div", { className: "wb-list wb-changes", "aria-label": "Changes" });
  const remarks = make("div", { className: "wb-code wb-dim", role: "status" });
  const output = make("div", { "aria-label": "Output" });
  const [line, stopStatus] = status(model);
  const words = make("input", {
    type: "text",
    placeholder: "Feedback in words, for instance: only 2023",
    "aria-label": "Feedback",
  });
  const form = make(
    "form",
    {
      className: "wb-row",
      onsubmit: (event) => {
        event.preventDefault();
        if (!words.value.trim()) return;
        model.send({ kind: "feedback", text: words.value });
        words.value = "";
      },
    },
    words,
    make("button", { type: "submit" }, "change"),
  );

  const step = ({ id, kind, summary, link, result, rows, ms }) => {
    const counted = rows === null ? "" : `${rows} ${rows === 1 ? "row" : "rows"}`;
    const open = () => model.send({ kind: "output", node: id });
    const took = make("span", { className: "wb-dim", title: "time taken" }, `${ms?.toFixed(0)} ms`);
    return make(
      "div",
      { className: "wb-row wb-step", role: "listitem" },
      make("span", { className: "wb-tag" }, `${id}`),
      make("span", { className: "wb-name" }, kind),
      make("span", { className: "wb-what", title: summary }, summary),
      link ? make("span", { className: "wb-dim" }, link) : null,
      result ? make("span", { className: "wb-tag" }, "result") : null,
      rows === null ? null : took,
      rows === null ? null : small(counted, open, `Show the ${counted} of step ${id}`),
      small("to here", () => model.send({ kind: "run", until: id }), `Run up to step ${id}`),
    );
  };
  const change = ({ key, kind, line: text, refused, accepted }) => {
    const decide = (accept) => () => model.send({ kind: "decide", key, accept });
    const yes = small("accept", decide(true), `Accept: ${text}`);
    const no = small("refuse", decide(false), `Refuse: ${text}`);
    yes.disabled = accepted;
    no.disabled = refused;
    const body = make(refused ? "s" : "span", { className: `wb-code wb-${kind}` }, text);
    return make("div", { className: "wb-row wb-change" }, body, yes, no);
  };
  const stops = [
    stopStatus,
    follow(model, ["question", "version"], () => {
      question.textContent = model.get("question");
      version.textContent = model.get("version");
    }),
    follow(model, ["can_undo", "can_redo", "busy", "steps"], () => {
      undo.disabled = !model.get("can_undo");
      redo.disabled = !model.get("can_redo");
      run.disabled = model.get("busy") || !model.get("steps").length;
    }),
    follow(model, ["steps"], () => {
      const steps = model.get("steps");
      if (!steps.length) return;
      const [picture, width] = threads(steps);
      graph.style.paddingLeft = `${width}px`;
      refill(graph, [picture, ...steps.map(step)]);
    }),
    follow(model, ["changes"], () => refill(changes, model.get("changes").map(change))),
    follow(model, ["remarks"], () => (remarks.textContent = model.get("remarks").join("\n"))),
    follow(model, ["output"], () => {
      const { title, columns, rows } = model.get("output");
      output.replaceChildren(...(title ? [make("div", { className: "wb-label" }, title), grid(columns, rows)] : []));
    }),
  ];
  const head = make("div", { className: "wb-row wb-head" }, question, version, undo, redo, run);
  const all = [head, line, graph, form, changes, remarks, output];
  el.append(frame("wb-plan", ...all));
  return () => stops.forEach((stop) => stop());
}

export default { render };
