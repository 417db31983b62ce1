/**
 * A drawing of one finding: a lane for each thread, time from left to right,
 * an arrow for each creation, the two accesses, and between them the edge that
 * is missing. What is drawn in one column only has no known order.
 */
const timeline = (() => {
  const WIDTH = 960, LEFT = 170, RIGHT = 30, TOP = 34, LANE = 84;
  const tip = document.getElementById("tip");

  const stackOf = (stack, at = -1) => {
    const items = stack.frames.map((frame, i) => make("li", i === at ? { class: "at" } : {},
      make("span", { class: "number" }, `#${i}`),
      make("span", { class: "function" }, frame.fn || "?"), " ",
      make("span", { class: "where" }, store.position(frame) + (frame.inlined ? " (inlined)" : ""))));
    if (stack.lost) items.push(make("li", { class: "where" }, "its callers are no longer known"));
    else if (!items.length) items.push(make("li", { class: "where" }, "its stack is not known"));
    return make("ol", { class: "stack" }, ...items);
  };

  const hide = () => { tip.hidden = true; };
  const explain = (element, title, stack) => {
    const show = () => {
      tip.replaceChildren(make("strong", {}, title), stackOf(stack));
      tip.hidden = false;
      const box = element.getBoundingClientRect();
      const x = Math.min(box.left, innerWidth - tip.offsetWidth - 12);
      const below = box.bottom + 8;
      const y = below + tip.offsetHeight > innerHeight ? box.top - tip.offsetHeight - 8 : below;
      tip.style.left = `${Math.max(6, x)}px`;
      tip.style.top = `${Math.max(6, y)}px`;
    };
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, show);
    for (const event of ["mouseleave", "blur"]) element.addEventListener(event, hide);
  };

  const short = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
  const laneName = (thread) => {
    const name = store.text(thread.name);
    return thread.number === 0 ? "main thread" : `T${thread.number}${name ? ` ${name}` : ""}`;
  };

  /** What happened, in an order that this run allows. */
  const eventsOf = (finding, known) => {
    const events = [];
    const allocation = finding.heap && known.has(finding.heap.thread)
      ? { what: "allocates", thread: finding.heap.thread, stack: finding.heap.stack } : null;
    if (allocation && allocation.thread === 0) events.push(allocation);
    for (const thread of finding.threads) {
      if (thread.by !== null && known.has(thread.by)) {
        events.push({ what: "creates", thread: thread.by, target: thread.number, stack: thread.stack });
      }
      if (allocation && allocation.thread === thread.number && thread.number !== 0) events.push(allocation);
    }
    events.push({ what: "access", thread: finding.accesses[1].thread, access: 1 });
    events.push({ what: "access", thread: finding.accesses[0].thread, access: 0 });
    return events;
  };

  const dot = (x, y, kind) => {
    if (kind === "free") {
      return make("path", { d: `M${x - 9} ${y}L${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}Z`, class: "race write" });
    }
    return make("circle", { cx: x, cy: y, r: 8, class: kind.includes("write") ? "race write" : "race" });
  };

  /** Text with a plate behind it, so that lines do not cross it. */
  const label = (x, y, text, attributes = {}) => {
    const width = text.length * 6.7 + 6;
    const left = attributes["text-anchor"] === "middle" ? x - width / 2 : x - 3;
    return [
      make("rect", { x: left, y: y - 12, width, height: 16, class: "plate" }),
      make("text", { x, y, ...attributes }, text),
    ];
  };

  /** The drawing; `open(i)` is called when access `i` is clicked. */
  const draw = (finding, open) => {
    const lanes = new Map(finding.threads.map((thread, i) => [thread.number, i]));
    for (const access of finding.accesses) {
      if (!lanes.has(access.thread)) lanes.set(access.thread, lanes.size);
    }
    const events = eventsOf(finding, lanes);
    const height = TOP + lanes.size * LANE;
    // The accesses stand apart, so that what is missing between them is seen.
    const columns = events.length + 1.4;
    const step = (WIDTH - LEFT - RIGHT) / columns;
    const y = (number) => TOP + lanes.get(number) * LANE + 22;
    const x = (index) => LEFT + step * (index + 0.5 + (index === events.length - 1 ? 0.8 : 0));
    const svg = make("svg", {
      class: "timeline", viewBox: `0 0 ${WIDTH} ${height + 6}`, role: "img",
      "aria-label": finding.message,
    });
    svg.append(make("defs", {}, make("marker", {
      id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
    }, make("path", { d: "M0 0L8 4L0 8Z", class: "head" }))));

    const begins = new Map();
    events.forEach((event, i) => {
      if (event.what === "creates") begins.set(event.target, x(i) + step * 0.45);
    });
    const last = new Map();
    events.forEach((event, i) => last.set(event.thread, x(i)));
    for (const number of lanes.keys()) {
      const at = y(number);
      const thread = finding.threads.find((one) => one.number === number);
      const name = thread ? laneName(thread) : `T${number}`;
      const state = !thread ? "" : thread.running ? "running" : "finished";
      svg.append(make("line", { x1: LEFT - 6, x2: WIDTH - 14, y1: at, y2: at, class: "lane" }));
      const from = begins.get(number) ?? LEFT;
      const ends = thread && !thread.running ? Math.min(WIDTH - 30, (last.get(number) ?? from) + step * 0.4) : WIDTH - 20;
      svg.append(make("line", { x1: from, x2: Math.max(ends, from + 10), y1: at, y2: at, class: "life" }));
      svg.append(make("text", { x: 8, y: at }, make("title", {}, name), short(name, 22)));
      svg.append(make("text", { x: 8, y: at + 15, class: "dim" }, state));
    }

    const points = [];
    const marks = [];
    events.forEach((event, i) => {
      const at = [x(i), y(event.thread)];
      if (event.what === "access") {
        points[event.access] = at;
        const other = finding.accesses[1 - event.access].thread;
        const upper = lanes.get(event.thread) < lanes.get(other);
        marks.push(accessMark(finding, event.access, at, upper, open));
        return;
      }
      const group = make("g", { class: "event", tabindex: 0, role: "button" });
      let title = "The block is allocated";
      if (event.what === "creates") {
        title = `T${event.target} is created`;
        const [fx, fy] = at;
        const [tx, ty] = [begins.get(event.target), y(event.target)];
        const mid = (fx + tx) / 2;
        group.append(make("path", {
          d: `M${fx} ${fy}C${mid} ${fy} ${mid} ${ty} ${tx} ${ty}`, class: "edge", "marker-end": "url(#head)",
        }));
      }
      group.append(make("circle", { cx: at[0], cy: at[1], r: 5, class: "dot" }));
      group.append(...label(at[0], at[1] - 14, event.what === "creates" ? `creates T${event.target}` : "allocates", { "text-anchor": "middle" }));
      explain(group, title, store.stack(event.stack));
      marks.push(group);
    });

    const [[ax, ay], [bx, by]] = [points[1], points[0]];
    svg.append(make("path", { d: `M${ax} ${ay}L${bx} ${by}`, class: "missing" }));
    svg.append(...marks);
    svg.append(...label((ax + bx) / 2, (ay + by) / 2 + 4, "nothing orders these", { class: "missing-text", "text-anchor": "middle" }));
    return svg;
  };

  /** One access; what it says stands on the side that faces away from the other. */
  const accessMark = (finding, index, [x, y], upper, open) => {
    const access = finding.accesses[index];
    const op = store.text(access.op);
    const at = store.culprit(access);
    const group = make("g", { class: "event", tabindex: 0, role: "button" }, dot(x, y, op));
    const where = at ? `${at.fn || "?"} ${at.file ? at.file.split("/").pop() : ""}${at.line ? `:${at.line}` : ""}` : "";
    group.append(
      ...label(x, upper ? y - 31 : y + 25, `${op}, ${access.size} bytes`, { "text-anchor": "middle" }),
      ...label(x, upper ? y - 15 : y + 41, short(where, 30), { "text-anchor": "middle", class: "dim" }),
    );
    explain(group, `${op} of ${access.size} bytes at ${access.address}`, store.stack(access.stack));
    group.addEventListener("click", () => open(index));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        open(index);
      }
    });
    return group;
  };

  return { draw, stackOf, laneName, hide };
})();
