function render({ model, el }) {
  const summary = make("strong");
  const list = make("div", { className: "wb-list", "aria-label": "Tasks" });
  const task = ({ id, name, status: state, done, total, unit, message, open }) =>
    make(
      "div",
      { className: "wb-row" },
      make("span", { className: `wb-code wb-${state}` }, state),
      make("span", {}, name),
      open && total ? make("progress", { value: done ?? 0, max: total }) : null,
      open && total ? make("span", { className: "wb-dim" }, `${done ?? 0} of ${total} ${unit}`) : null,
      make("span", { className: "wb-dim" }, message),
      open
        ? make(
            "button",
            { type: "button", onclick: () => model.send({ kind: "cancel", task: id }) },
            "cancel",
          )
        : null,
    );
  const [line, stopStatus] = status(model);
  const stops = [
    stopStatus,
    follow(model, ["summary"], () => (summary.textContent = model.get("summary"))),
    follow(model, ["tasks"], () => list.replaceChildren(...model.get("tasks").map(task))),
  ];
  el.append(frame("wb-tasks", summary, line, list));
  return () => stops.forEach((stop) => stop());
}

export default { render };
