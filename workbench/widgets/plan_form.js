// The fields of a step. What is typed is checked in Python a moment later; what is wrong stands
// beside its field.
const HINTS = {
  names: "several with commas",
  values: "several with commas",
  measures: "for instance: count, avg wind_speed",
  json: "JSON",
};

const planForm = (model) => {
  const panel = make("section", { className: "wb-form", "aria-label": "Step" });
  const close = () => model.send({ kind: "form" });
  let controls = new Map();
  let timer = null;
  const texts = () => Object.fromEntries([...controls].map(([name, { control }]) => [name, control.value]));
  const typed = () => ({ node: model.get("form").node, fields: texts(), inputs: inputs.value });
  const check = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => model.send({ kind: "check", ...typed() }),
      200,
    );
  };
  const choiceOf = ({ text, choices, required, default: usual }) => {
    const none = required ? [] : [make("option", { value: "" }, usual ? `(${usual})` : "–")];
    const known = choices.map((value) => make("option", { value, selected: value === text }, value));
    return make("select", { onchange: check }, none, known);
  };
  const wordsOf = ({ kind, text, choices, required, default: usual }) => {
    const number = kind === "number" ? { type: "number", step: "any" } : { type: "text" };
    const hint = usual || HINTS[kind] || (required ? "needed" : "");
    const about = { placeholder: hint, autocomplete: "off", spellcheck: false };
    const input = make("input", { ...number, ...about, value: text, oninput: check });
    if (!choices.length) return [input];
    const list = make("datalist", { id: fresh() }, choices.map((value) => make("option", { value })));
    input.setAttribute("list", list.id);
    return [input, list];
  };
  const row = (field) => {
    const id = fresh();
    const [control, ...rest] = field.kind === "choice" ? [choiceOf(field)] : wordsOf(field);
    control.id = id;
    const fault = make("div", { className: "wb-problem", role: "status", id: `${id}-fault` });
    control.setAttribute("aria-describedby", fault.id);
    controls.set(field.name, { control, fault });
    const label = make("label", { htmlFor: id }, field.label, " ", make("code", { className: "wb-dim" }, field.name));
    return make("div", { className: "wb-field" }, label, control, rest, fault);
  };
  const tell = (faults) => {
    for (const [name, { control, fault }] of controls) {
      fault.textContent = faults[name] ?? "";
      control.setAttribute("aria-invalid", String(name in faults));
    }
    const elsewhere = Object.keys(faults).filter((name) => !controls.has(name));
    rest.textContent = elsewhere.map((name) => faults[name]).join("; ");
  };
  const inputs = make("input", { type: "text", id: fresh(), autocomplete: "off", oninput: check });
  const feeding = make(
    "div",
    { className: "wb-field" },
    make("label", { htmlFor: inputs.id }, "input steps"),
    inputs,
  );
  // What changes the plan around the step.
  const handwork = (node, kinds) => {
    const options = ["insert a step after this", ...kinds].map((text, at) =>
      make("option", { value: at ? text : "" }, text),
    );
    const insert = make("select", {
      "aria-label": `Insert a step after step ${node}`,
      onchange: (event) => model.send({ kind: "insert", node, step: event.target.value }),
    }, options);
    const remove = make(
      "button",
      { type: "button", onclick: () => model.send({ kind: "remove", node }) },
      "remove",
    );
    return [insert, remove];
  };
  const rest = make("div", { className: "wb-problem", role: "status" });
  const draw = () => {
    const { node, kind, about, fields = [], faults, inputs: fed, kinds = [] } = model.get("form");
    controls = new Map();
    panel.hidden = node === undefined;
    if (panel.hidden) return panel.replaceChildren();
    const atHand = ({ text, required, usual }) => text || required || usual;
    const first = fields.filter(atHand).map(row);
    const others = fields.filter((field) => !atHand(field));
    const expert = others.filter(({ kind: what }) => what === "json");
    const simple = others.filter((field) => !expert.includes(field));
    inputs.value = fed ?? "";
    const head = make(
      "div",
      { className: "wb-row" },
      make("span", { className: "wb-tag" }, String(node)),
      make("strong", { className: "wb-title" }, kind),
      handwork(node, kinds),
      make("button", { type: "button", onclick: close }, "cancel"),
      make("button", { type: "submit", className: "wb-main" }, "save"),
    );
    const more = others.length
      ? make(
          "details",
          { open: !first.length },
          make("summary", {}, "more fields"),
          make("div", { className: "wb-fields" }, simple.map(row), expert.map(row)),
        )
      : null;
    const body = make(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          clearTimeout(timer);
          model.send({ kind: "save", ...typed() });
        },
        onkeydown: (event) => event.key === "Escape" && close(),
      },
      head,
      about ? make("div", { className: "wb-dim" }, about) : null,
      make("div", { className: "wb-fields" }, first, fed ? feeding : null),
      rest,
      ...(more ? [more] : []),
    );
    panel.replaceChildren(body);
    tell(faults ?? {});
    controls.values().next().value?.control.focus({ preventScroll: true });
  };
  const stops = [
    follow(model, ["form"], draw),
    follow(model, ["faults"], () => tell(model.get("faults"))),
    () => clearTimeout(timer),
  ];
  return [panel, () => stops.forEach((stop) => stop())];
};

