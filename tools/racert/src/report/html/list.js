/** The list: only the rows in sight exist, so its length costs nothing. */
const list = (() => {
  const HEIGHT = 58;
  const SPARE = 6;
  const box = document.getElementById("list");
  const rows = document.getElementById("rows");
  let shown = [];
  let chosen = -1;
  let onChoose = () => {};
  let drawn = "";

  /** Absolute names by their ends: the beginnings are all the same. */
  const brief = (where) => where.split(" and ")
    .map((place) => (place.startsWith("/") ? `…/${place.split("/").slice(-2).join("/")}` : place))
    .join(" and ");

  const row = (finding, index) => {
    const classes = ["row"];
    if (finding.certainty !== "proven") classes.push("possible");
    if (index === chosen) classes.push("chosen");
    const status = finding.status ? `${finding.status}: ` : "";
    const seen = finding.seen > 1 ? ` · seen ${finding.seen} times` : "";
    const element = make("div", {
      class: classes.join(" "), style: `top:${index * HEIGHT}px`, role: "option",
      id: `row-${index}`, "aria-selected": String(index === chosen),
      "aria-posinset": index + 1, "aria-setsize": shown.length,
    },
    make("div", {}, status + finding.headline),
    make("div", { class: "where", title: finding.where }, brief(finding.where) + seen));
    element.addEventListener("click", () => choose(index));
    return element;
  };

  const draw = (force) => {
    const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - SPARE);
    const last = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / HEIGHT) + SPARE);
    const key = `${first}-${last}-${chosen}`;
    if (!force && key === drawn) return;
    drawn = key;
    const elements = [];
    for (let i = first; i < last; i++) elements.push(row(shown[i], i));
    rows.replaceChildren(...elements);
  };

  const choose = (index) => {
    if (!shown.length) return;
    chosen = Math.max(0, Math.min(index, shown.length - 1));
    const top = chosen * HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = top + HEIGHT - box.clientHeight;
    draw(true);
    box.setAttribute("aria-activedescendant", `row-${chosen}`);
    onChoose(shown[chosen]);
  };

  /** Shows `findings`; the chosen one stays chosen if it is among them. */
  const show = (findings) => {
    const before = shown[chosen];
    shown = findings;
    rows.style.height = `${shown.length * HEIGHT}px`;
    chosen = -1;
    if (!shown.length) {
      rows.replaceChildren(make("div", { class: "empty" }, "Nothing passes the filters."));
      box.removeAttribute("aria-activedescendant");
      drawn = "";
      onChoose(null);
      return;
    }
    if (box.scrollTop > shown.length * HEIGHT) box.scrollTop = 0;
    choose(Math.max(0, shown.indexOf(before)));
  };

  box.addEventListener("scroll", () => requestAnimationFrame(() => draw(false)), { passive: true });
  addEventListener("resize", () => draw(true));

  return {
    show, choose,
    move: (by) => choose(chosen + by),
    page: () => Math.max(1, Math.floor(box.clientHeight / HEIGHT) - 1),
    find: (id) => shown.findIndex((finding) => finding.id === id),
    shown: () => shown,
    focus: () => box.focus(),
    whenChosen: (callback) => { onChoose = callback; },
  };
})();
