// The graph left of the steps of a plan.
const ROW = 30; // pixels, as in the style sheet
const LANE = 16;

// The column of each step. A step goes on in the column of an input that nothing else waits for.
const lanes = (steps) => {
  const lane = new Map();
  const columns = [];
  steps.forEach(({ id, inputs }, at) => {
    const waited = (source) => steps.slice(at + 1).some((later) => later.inputs.includes(source));
    const free = inputs.filter((source) => lane.has(source) && !waited(source));
    for (const source of free) columns[lane.get(source)] = undefined;
    const gap = columns.indexOf(undefined);
    const own = free.length ? lane.get(free[0]) : gap < 0 ? columns.length : gap;
    columns[own] = id;
    lane.set(id, own);
  });
  return lane;
};

// The graph left of the steps: a dot for each, a line from each input.
const threads = (steps) => {
  const lane = lanes(steps);
  const x = (id) => 10 + lane.get(id) * LANE;
  const y = new Map(steps.map(({ id }, at) => [id, (at + 0.5) * ROW]));
  const line = (from, to) => {
    const [x1, y1, x2, y2] = [x(from), y.get(from), x(to), y.get(to)];
    return shape("path", {
      d: `M${x1} ${y1}V${y2 - ROW}C${x1} ${y2 - ROW / 3} ${x2} ${y2 - ROW / 1.5} ${x2} ${y2}`,
    });
  };
  const width = Math.max(...lane.values()) * LANE + 22;
  const picture = shape("svg", { width, height: steps.length * ROW, "aria-hidden": "true" });
  for (const { id, inputs } of steps) {
    picture.append(...inputs.filter((from) => y.has(from)).map((from) => line(from, id)));
  }
  for (const { id, result, state } of steps) {
    const look = { r: result ? 5.5 : 4.5, class: `wb-dot wb-${state}${result ? " wb-result" : ""}` };
    picture.append(shape("circle", { cx: x(id), cy: y.get(id), ...look }));
  }
  return [picture, width];
};

