function render({ model, el }) {
  const button = (text, act, title) =>
    make("button", { type: "button", onclick: act, title: title ?? "" }, text);
  const question = make("strong");
  const version = make("span", { className: "wb-dim" });
  const undo = button("undo", () => model.send({ kind: "undo" }));
  const redo = button("redo", () => model.send({ kind: "redo" }));
  const run = button("run", () => model.send({ kind: "run" }));
  const graph = make("div", { className: "wb-list", "aria-label": "Plan" });
  const changes = make("div", { className: "wb-list", "aria-label": "Changes" });
  const remarks = make("div", { className: "wb-dim" });
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

  const step = ({ id, gutter, kind, summary, link, result, rows, ms }) => {
    const plural = rows === 1 ? "row" : "rows";
    const counted = rows === null ? "" : `${rows} ${plural} · ${ms.toFixed(0)} ms`;
    return make(
      "div",
      { className: "wb-row" },
      make("span", { className: "wb-code" }, `${gutter}${id} ${kind}`),
      make("span", {}, summary),
      make("span", { className: "wb-dim" }, [link, result ? "◀ result" : "", counted].join(" ")),
      button("to here", () => model.send({ kind: "run", until: id }), "Run up to this step"),
      rows === null ? null : button("rows", () => model.send({ kind: "output", node: id })),
    );
  };
  const change = ({ key, kind, line: text, refused, accepted }) => {
    const decide = (accept) => () => model.send({ kind: "decide", key, accept });
    const yes = button("accept", decide(true));
    const no = button("refuse", decide(false));
    yes.disabled = accepted;
    no.disabled = refused;
    const body = make(refused ? "s" : "span", { className: `wb-code wb-${kind}` }, text);
    return make("div", { className: "wb-row" }, body, yes, no);
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
    follow(model, ["steps"], () => graph.replaceChildren(...model.get("steps").map(step))),
    follow(model, ["changes"], () => changes.replaceChildren(...model.get("changes").map(change))),
    follow(model, ["remarks"], () => (remarks.textContent = model.get("remarks").join("\n"))),
    follow(model, ["output"], () => {
      const { title, columns, rows } = model.get("output");
      output.replaceChildren(...(title ? [make("div", {}, title), grid(columns, rows)] : []));
    }),
  ];
  const head = make("div", { className: "wb-row" }, question, version, undo, redo, run);
  const all = [head, line, graph, form, changes, remarks, output];
  el.append(frame("wb-plan", ...all));
  return () => stops.forEach((stop) => stop());
}

export default { render };
