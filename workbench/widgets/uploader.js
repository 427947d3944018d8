const PIECE = 1 << 20;
const WORDS = { partitioning: "running", duplicate: "known" };

function render({ model, el }) {
  const waiting = new Map();
  const numbers = crypto.getRandomValues(new Uint32Array(1));
  let number = numbers[0]; // two views of one widget must not use the same numbers
  const begin = (files) => {
    for (const file of files) {
      number += 1;
      waiting.set(number, file);
      model.send({ kind: "begin", file: number, name: file.name, size: file.size });
    }
  };
  const sendNext = async ({ kind, file: key, from }) => {
    const file = waiting.get(key);
    if (kind !== "next" || !file) return;
    const bytes = await file.slice(from, from + PIECE).arrayBuffer();
    if (from + PIECE >= file.size) waiting.delete(key);
    model.send({ kind: "piece", file: key }, undefined, [bytes]);
  };
  model.on("msg:custom", sendNext);

  const picker = make("input", {
    type: "file",
    multiple: true,
    "aria-label": "Files to add",
    onchange: (event) => {
      begin(event.target.files);
      event.target.value = "";
    },
  });
  const zone = make(
    "div",
    {
      className: "wb-row wb-zone",
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add("wb-over");
      },
      ondragleave: () => zone.classList.remove("wb-over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("wb-over");
        begin(event.dataTransfer.files);
      },
    },
    picker,
    make("span", { className: "wb-dim" }, "or drop files here"),
  );
  const path = make("input", {
    type: "text",
    placeholder: "or a path on the kernel's machine: a file, a folder, reports/*.pdf",
    "aria-label": "Path, folder or pattern on the kernel's machine",
  });
  const [submit, stopSending] = sending(model, path, (text) => model.send({ kind: "path", text }));
  const form = make("form", { className: "wb-row", onsubmit: submit }, path, make("button", { type: "submit" }, "add"));
  const button = (text, act, label) =>
    make("button", { type: "button", className: "wb-small", "aria-label": label, onclick: act }, text);
  const summary = make("span", { className: "wb-dim wb-title", role: "status" });
  const retry = button("retry all failed", () => model.send({ kind: "retry" }), "Retry all that failed");
  const clear = button("clear done", () => model.send({ kind: "clear" }), "Remove finished uploads from the list");
  const foot = make("div", { className: "wb-row wb-foot" }, summary, retry, clear);
  const list = make("div", { className: "wb-list", role: "list", "aria-label": "Uploads" });
  const [line, stopStatus] = status(model);

  const row = ({ id, name, done, total, note, stage, error }) => {
    const ask = (kind, label) =>
      button(kind === "forget" ? "remove" : kind, () => model.send({ kind, id }), `${label} ${name}`);
    const rests = { failed: "Retry", duplicate: "Send anyway:", cancelled: "Send again:" }[stage];
    return make(
      "div",
      { className: "wb-row wb-file", role: "listitem" },
      make("span", { className: `wb-state wb-${stage}` }, WORDS[stage] ?? stage),
      make("span", { className: "wb-what", title: name }, name),
      total ? make("progress", { value: done, max: total, "aria-label": name }) : null,
      note ? make("span", { className: "wb-dim" }, note) : null,
      rests ? ask("retry", rests) : null,
      rests ? ask("forget", "Remove from the list:") : null,
      ["queued", "sending", "partitioning"].includes(stage) ? ask("cancel", "Cancel") : null,
      error ? make("div", { className: "wb-dim wb-reason" }, error) : null,
    );
  };
  const stops = [
    stopStatus,
    stopSending,
    follow(model, ["files"], () => refill(list, model.get("files").map(row))),
    follow(model, ["summary", "counts"], () => {
      const { failed = 0, done = 0, duplicate = 0, cancelled = 0 } = model.get("counts");
      summary.textContent = model.get("summary");
      retry.hidden = !failed;
      clear.hidden = !(done + duplicate + cancelled);
      foot.hidden = !model.get("summary");
    }),
    () => model.off("msg:custom", sendNext),
  ];
  el.append(frame("wb-upload", zone, form, line, list, foot));
  return () => stops.forEach((stop) => stop());
}

export default { render };
