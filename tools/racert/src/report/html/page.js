/** Filters, keys, the address of a finding, light and dark, printing. */
(() => {
  const MOST_FILES = 400;
  const MOST_PRINTED = 300;
  const field = (id) => document.getElementById(id);
  const names = ["search", "kind", "status", "file", "module"];

  const options = (id, all, values) => {
    const box = field(id);
    box.append(make("option", { value: "" }, all));
    for (const [value, count] of values.slice(0, MOST_FILES)) {
      box.append(make("option", { value }, `${value} (${count})`));
    }
    box.hidden = values.length < 2;
  };
  options("kind", "Every kind", store.values((finding) => [finding.kind]));
  options("status", "New and known", store.values((finding) => (finding.status ? [finding.status] : [])));
  options("file", "Every file", store.values((finding) => finding.files));
  options("module", "Every module", store.values((finding) => finding.modules));

  const apply = () => {
    const found = store.filter(Object.fromEntries(names.map((name) => [name, field(name).value])));
    const all = store.findings.length;
    const s = all === 1 ? "" : "s";
    field("count").textContent = found.length === all ? `${all} finding${s}` : `${found.length} of ${all} finding${s}`;
    list.show(found);
  };

  // Browsers refuse to change the address many times a second.
  let address;
  list.whenChosen((finding) => {
    detail.show(finding);
    clearTimeout(address);
    if (finding) address = setTimeout(() => history.replaceState(null, "", `#${finding.id}`), 200);
  });

  const fromAddress = () => {
    const index = list.find(location.hash.slice(1));
    if (index >= 0) list.choose(index);
  };

  field("filters").addEventListener("input", apply);
  field("filters").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", fromAddress);

  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  field("theme").addEventListener("click", theme);

  const keys = {
    j: () => list.move(1), ArrowDown: () => list.move(1),
    k: () => list.move(-1), ArrowUp: () => list.move(-1),
    PageDown: () => list.move(list.page()), PageUp: () => list.move(-list.page()),
    Home: () => list.choose(0), End: () => list.choose(Infinity),
    "/": () => field("search").focus(), t: theme,
    Escape: () => list.focus(),
  };
  addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      timeline.hide();
      list.focus();
      return;
    }
    if (at.matches("input, select, textarea")) {
      if (event.key === "Enter" || (event.key === "ArrowDown" && at.matches("input"))) list.focus();
      return;
    }
    if (event.key === "Enter" && at.id === "list") {
      detail.focus();
      return;
    }
    // In a long finding the arrows scroll.
    if (at.closest("#detail") && event.key !== "j" && event.key !== "k" && event.key.length > 1) return;
    const action = keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  addEventListener("beforeprint", () => {
    const chosen = list.shown().slice(0, MOST_PRINTED);
    const pages = chosen.map((finding) => {
      const page = make("article", {}, ...detail.parts(finding));
      for (const one of page.querySelectorAll("details")) one.open = true;
      return page;
    });
    const rest = list.shown().length - chosen.length;
    if (rest > 0) pages.push(make("p", {}, `${rest} more findings are not printed; filter the list to choose.`));
    field("printed").replaceChildren(...pages);
  });
  addEventListener("afterprint", () => field("printed").replaceChildren());

  const wanted = location.hash;
  apply();
  if (wanted) {
    history.replaceState(null, "", wanted);
    fromAddress();
  }
  list.focus();
  // Milliseconds until the page could be used, for who measures.
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
