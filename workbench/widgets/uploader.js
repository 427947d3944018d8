const PIECE = 1 << 20;

function render({ model, el }) {
  const waiting = new Map();
  let number = model.get("files").length;
  const begin = (files) => {
    for (const file of files) {
      waiting.set(number, file);
      model.send({ kind: "begin", file: number, name: file.name, size: file.size });
      number += 1;
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
    onchange: (event) => begin(event.target.files),
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
  const list = make("div", { className: "wb-list", "aria-label": "Uploads" });
  const [line, stopStatus] = status(model);
  const row = ({ name, size, received, stage, error }) =>
    make(
      "div",
      { className: "wb-row" },
      make("span", { className: `wb-state wb-${stage}` }, stage),
      make("span", {}, name),
      stage === "receiving"
        ? make("progress", { value: received, max: size || 1, "aria-label": `${name} received` })
        : null,
      make("span", { className: "wb-dim" }, error),
    );
  const stops = [
    stopStatus,
    follow(model, ["files"], () => refill(list, model.get("files").map(row))),
    () => model.off("msg:custom", sendNext),
  ];
  el.append(frame("wb-upload", zone, line, list));
  return () => stops.forEach((stop) => stop());
}

export default { render };
