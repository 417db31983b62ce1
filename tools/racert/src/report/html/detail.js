/** Everything about one finding. */
const detail = (() => {
  const box = document.getElementById("detail");

  const side = (finding, index) => {
    const access = finding.accesses[index];
    const thread = finding.threads.find((one) => one.number === access.thread);
    const who = thread ? timeline.laneName(thread) : `T${access.thread}`;
    const earlier = index === 1 ? "Earlier " : "";
    const op = store.text(access.op);
    const heading = finding.race ? `${earlier}${op} of ${access.size} bytes by ${who}` : op;
    const element = make("div", { class: "side", "data-access": index },
      make("h3", {}, heading[0].toUpperCase() + heading.slice(1)));
    const excerpt = source.excerpt(access);
    if (excerpt) element.append(excerpt);
    element.append(timeline.stackOf(store.stack(access.stack), access.at), ...around(finding, access));
    return element;
  };

  /** The locks of an access, and what its thread did last before it. */
  const around = (finding, access) => {
    const rows = access.held.map((held) =>
      folded(`holds ${happenings.lockName(finding, held.lock)}${held.write ? "" : " for reading"}, taken at`, held.stack));
    const { last_lock: lock, last_sync: sync } = access;
    if (lock && lock.released) rows.push(folded(`had last released ${happenings.lockName(finding, lock.lock)}, at`, lock.stack));
    if (sync) rows.push(folded(`had last ${store.text(sync.said)}, at`, sync.stack));
    return rows.length ? [make("div", { class: "around" }, ...rows)] : [];
  };

  const badges = (finding) => {
    const badge = (text, kind = "") => make("span", { class: `badge ${kind}` }, text);
    const all = [badge(finding.certainty, finding.certainty), badge(finding.title)];
    if (finding.status) all.push(badge(finding.status, finding.status));
    if (finding.seen > 1) all.push(badge(`seen ${finding.seen} times`));
    if (finding.places > 1) all.push(badge(`and at ${finding.places - 1} more place${finding.places > 2 ? "s" : ""}`));
    return make("p", {}, ...all);
  };

  const folded = (title, stack) => make("details", {}, make("summary", {}, title), timeline.stackOf(store.stack(stack)));

  const threads = (finding) => finding.threads.filter((thread) => thread.number !== 0).map((thread) => {
    const state = thread.running ? "running" : "finished";
    const title = `${timeline.laneName(thread)} (os id ${thread.os_id}, ${state})`;
    if (thread.stack === null) return make("p", { class: "facts" }, `${title}, its creation was not seen`);
    const by = thread.by === 0 ? "the main thread" : `T${thread.by}`;
    return folded(`${title}, created by ${by}`, thread.stack);
  });

  const locks = (finding) => finding.locks.map((lock) =>
    (lock.stack === null ? make("p", { class: "facts" }, lock.title) : folded(lock.title, lock.stack)));

  /** The parts of the page about `finding`. */
  const parts = (finding) => {
    const sides = make("div", { class: "sides" }, ...finding.accesses.map((_, i) => side(finding, i)));
    const open = (index) => {
      for (const one of sides.children) one.classList.toggle("lit", one.dataset.access === String(index));
      sides.children[index].scrollIntoView({ block: "nearest" });
    };
    const all = [
      make("h2", {}, finding.headline), badges(finding),
      make("p", { class: "message" }, finding.message),
    ];
    const suggestion = store.text(finding.suggestion);
    if (suggestion) all.push(make("p", { class: "suggestion" }, `Suggestion: ${suggestion}.`));
    if (finding.race) {
      all.push(make("h3", {}, "Timeline"), timeline.draw(finding, open));
      all.push(make("h3", {}, "The two accesses"), sides);
      all.push(make("h3", {}, "Memory"), make("p", {}, finding.place));
      if (finding.heap) all.push(timeline.stackOf(store.stack(finding.heap.stack)));
    } else {
      all.push(make("h3", {}, "Timeline"), timeline.draw(finding, open));
      all.push(make("h3", {}, "What happened"), sides);
    }
    if (finding.locks.length) all.push(make("h3", {}, "Locks"), ...locks(finding));
    all.push(make("h3", {}, "Threads"), ...threads(finding));
    all.push(make("p", { class: "facts" },
      `Fingerprint ${finding.id} · ${store.text(finding.program)} · pid ${finding.pid} · ${finding.time}`));
    return all;
  };

  const show = (finding) => {
    timeline.hide();
    if (!finding) {
      box.replaceChildren();
      return;
    }
    box.replaceChildren(...parts(finding));
    box.scrollTop = 0;
  };

  return { show, parts, focus: () => box.focus() };
})();
