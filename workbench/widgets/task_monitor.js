function render({ model, el }) {
  const summary = make("strong", { className: "wb-title" });
  const list = make("div", { className: "wb-list", role: "list", "aria-label": "Tasks", tabIndex: 0 });
  const task = ({ id, name, docset, status: state, done, total, unit, message, open, age }) =>
    make(
      "div",
      { className: "wb-row wb-task", role: "listitem" },
      make("span", { className: `wb-state wb-${state}` }, state),
      make("span", { className: "wb-what" }, name),
      docset ? make("span", { className: "wb-dim wb-docset", title: `DocSet ${docset}` }, docset) : null,
      open && total ? make("progress", { value: done ?? 0, max: total, "aria-label": name }) : null,
      open && total ? make("span", { className: "wb-dim" }, `${done ?? 0} of ${total} ${unit}`) : null,
      make("span", { className: "wb-dim" }, message),
      make("span", { className: "wb-dim wb-age" }, age),
      open
        ? make(
            "button",
            {
              type: "button",
              className: "wb-small",
              "aria-label": `Cancel ${name}`,
              onclick: () => model.send({ kind: "cancel", task: id }),
            },
            "cancel",
          )
        : null,
    );
  const [line, stopStatus] = status(model);
  const stops = [
    stopStatus,
    follow(model, ["summary"], () => (summary.textContent = model.get("summary"))),
    follow(model, ["tasks"], () => refill(list, model.get("tasks").map(task))),
  ];
  el.append(frame("wb-tasks", summary, line, list));
  return () => stops.forEach((stop) => stop());
}

export default { render };
