// A text field with proposals for what may stand at the cursor. `ask(text, cursor)` is called while
// one types; the answer comes to `propose`. Down and up choose, Enter or Tab take what is chosen,
// Escape closes.
const completing = (input, label, ask) => {
  const list = make("div", { className: "wb-proposals", role: "listbox", id: fresh(), "aria-label": label });
  const problem = make("div", { className: "wb-problem", role: "status" });
  const field = make("div", { className: "wb-combo" }, input, list, problem);
  let proposed = { items: [] };
  let chosen = -1;
  const choose = (place) => {
    chosen = place;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === place)));
    const item = list.children[place];
    input.setAttribute("aria-activedescendant", item?.id ?? "");
    item?.scrollIntoView({ block: "nearest" });
  };
  const open = (items) => {
    list.replaceChildren(
      ...items.map(({ text, about }, at) =>
        make(
          "div",
          {
            className: "wb-proposal",
            role: "option",
            id: `${list.id}-${at}`,
            onmousedown: (event) => {
              event.preventDefault(); // the field keeps the focus
              take(at);
            },
          },
          make("span", {}, text),
          make("span", { className: "wb-dim" }, about),
        ),
      ),
    );
    list.hidden = !items.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    choose(-1);
  };
  const close = () => open([]);
  const take = (place) => {
    const { start, end, items } = proposed;
    const behind = input.value.slice(end);
    const tight = items[place].text.endsWith("(") || /^[ ),]/.test(behind);
    const before = input.value.slice(0, start) + items[place].text + (tight ? "" : " ");
    input.value = before + behind;
    input.setSelectionRange(before.length, before.length);
    close();
    typed();
  };
  const typed = () => ask(input.value, input.selectionStart);
  input.addEventListener("input", typed);
  input.addEventListener("focus", typed);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const count = list.children.length;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") close();
    else if (count && by) choose((chosen + by + count + (chosen < 0 && by < 0 ? 1 : 0)) % count);
    else if (chosen >= 0 && (event.key === "Enter" || event.key === "Tab")) take(chosen);
    else return;
    event.preventDefault();
  });
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id]])
    input.setAttribute(name, value);
  close();
  const propose = (answer) => {
    const late = answer.text !== input.value || input.getRootNode().activeElement !== input;
    proposed = answer;
    problem.textContent = late ? "" : answer.problem || "";
    open(late ? [] : answer.items);
  };
  return [field, propose];
};

