/**
 * A drawing of one finding: a lane for each thread, time from left to right,
 * its segments, a bar for as long as a lock was held, an arrow for each edge,
 * the accesses, and dashed the edge that is missing. What different lanes show
 * has no known order but for the arrows and the two accesses.
 */
const timeline = (() => {
  const LEAST = 960, LEFT = 178, RIGHT = 46, BAR = 15, LETTER = 6.9, ARGUMENTS = 40;
  const tip = document.getElementById("tip");

  /** A function's name without the long ones of its template arguments. */
  const readable = (name) => {
    const known = name.replace(/std::(__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> ?>/g, "std::string");
    const parts = known.split(/(?<!operator)(?<!operator<)(<)|(?<!-)(?<!operator)(?<!operator>)(>)/).filter(Boolean);
    let out = "", depth = 0, within = "";
    for (const part of parts) {
      if (part === ">" && depth > 0) depth--;
      if (depth > 0) within += part;
      else if (part === ">" && within) {
        out += `${within.length > ARGUMENTS ? "…" : within}>`;
        within = "";
      } else out += part;
      if (part === "<") depth++;
    }
    return depth === 0 ? out : known;
  };

  const stackOf = (stack, at = -1) => {
    const items = stack.frames.map((frame, i) => make("li", i === at ? { class: "at" } : {},
      make("span", { class: "number" }, `#${i}`),
      make("span", { class: "function", title: frame.fn }, readable(frame.fn) || "?"), " ",
      make("span", { class: "where" }, store.position(frame) + (frame.inlined ? " (inlined)" : ""))));
    if (stack.lost) items.push(make("li", { class: "where" }, "its callers are no longer known"));
    else if (!items.length) items.push(make("li", { class: "where" }, "its stack is not known"));
    return make("ol", { class: "stack" }, ...items);
  };

  const hide = () => { tip.hidden = true; };
  const explain = (element, title, stack) => {
    const show = () => {
      tip.replaceChildren(make("strong", {}, title), ...(stack === undefined ? [] : [stackOf(store.stack(stack))]));
      tip.hidden = false;
      const box = element.getBoundingClientRect();
      const x = Math.min(box.left, innerWidth - tip.offsetWidth - 12);
      const below = box.bottom + 8;
      const y = below + tip.offsetHeight > innerHeight ? box.top - tip.offsetHeight - 8 : below;
      tip.style.left = `${Math.max(6, x)}px`;
      tip.style.top = `${Math.max(6, y)}px`;
    };
    element.setAttribute("aria-label", title);
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, show);
    for (const event of ["mouseleave", "blur"]) element.addEventListener(event, hide);
  };

  const laneName = (thread) => {
    const name = store.text(thread.name);
    return thread.number === 0 ? "main thread" : `T${thread.number}${name ? ` ${name}` : ""}`;
  };

  /** Text with a plate behind it, so that lines do not cross it. */
  const label = (x, y, text, attributes = {}) => {
    const width = text.length * LETTER + 8;
    const left = attributes["text-anchor"] === "middle" ? x - width / 2 : x - 4;
    return [
      make("rect", { x: left, y: y - 12, width, height: 16, class: "plate" }),
      make("text", { x, y, ...attributes }, text),
    ];
  };
  const half = (event) => (Math.max(event.label.length, (event.more || "").length) * LETTER + 14) / 2;

  /** Is its label under its lane? That of the lower access is. */
  const isUnder = (event) => event.access !== undefined && !event.upper;

  /**
   * Columns: an event stands behind the one before it, and its label clear of
   * the others of its lane. Labels of one line alternate between two rows.
   */
  const columns = (events) => {
    const ends = new Map();
    const endsOf = (thread) => {
      if (!ends.has(thread)) ends.set(thread, [LEFT - 20, LEFT - 20, LEFT - 20]);
      return ends.get(thread);
    };
    let x = LEFT;
    for (const event of events) {
      const rows = endsOf(event.thread);
      event.row = event.more || rows[0] <= rows[1] ? 0 : 1;
      const used = isUnder(event) ? [2] : event.more ? [0, 1] : [event.row];
      const clear = Math.max(...used.map((row) => rows[row])) + half(event);
      x = Math.max(x + (event.access === 0 ? 130 : 34), clear);
      event.x = x;
      for (const row of used) rows[row] = x + half(event);
      if (event.creates !== undefined) {
        const created = endsOf(event.creates);
        created.forEach((end, row) => { created[row] = Math.max(end, x + 30); });
      }
    }
    const least = Math.max(...[...ends.values()].flat().map((end) => end + RIGHT / 2), 0);
    const width = Math.max(LEAST, least, x + RIGHT);
    // Use all of the room.
    const stretch = events.length ? (width - LEFT - RIGHT - half(events.at(-1))) / Math.max(1, x - LEFT) : 1;
    if (stretch > 1) for (const event of events) event.x = LEFT + (event.x - LEFT) * Math.min(stretch, 1.6);
    return width;
  };

  /** From top to bottom: who is created before who is created later. */
  const lanesOf = (finding) => {
    const numbers = [...finding.threads.map((thread) => thread.number), ...finding.accesses.map((access) => access.thread)];
    for (const step of finding.ordered_by) numbers.push(step.from, step.to);
    const lanes = new Map();
    for (const number of numbers) if (!lanes.has(number)) lanes.set(number, { number, bars: [], above: 30, below: 20 });
    return lanes;
  };

  /** Of the two accesses, which lane is above the other's? */
  const compare = (finding, lanes, events) => {
    const order = [...lanes.keys()];
    const pair = finding.race ? finding.accesses.map((access) => order.indexOf(access.thread)) : [];
    for (const event of events) {
      if (event.access !== undefined) event.upper = pair[event.access] <= pair[1 - event.access];
    }
  };

  const place = (lanes, events, regions) => {
    for (const region of regions) {
      const bars = lanes.get(region.thread).bars;
      if (!bars.includes(region.lock)) bars.push(region.lock);
    }
    for (const event of events) {
      const lane = lanes.get(event.thread);
      if (event.access !== undefined) lane.below = event.upper ? 30 : 44;
      if (event.row === 1 || (event.more && !isUnder(event))) lane.above = 46;
    }
    let y = 4;
    for (const lane of lanes.values()) {
      lane.y = y + lane.above;
      y = lane.y + lane.bars.length * BAR + lane.below;
    }
    return y + 4;
  };

  /** A thread's name, and its life in segments. */
  const life = (finding, lane, events, width) => {
    const thread = finding.threads.find((one) => one.number === lane.number);
    const name = thread ? laneName(thread) : `T${lane.number}`;
    const mine = events.filter((event) => event.thread === lane.number);
    const created = events.find((event) => event.creates === lane.number);
    const from = created ? created.x + 26 : LEFT;
    const last = Math.max(from + 20, ...mine.map((event) => event.x + 24));
    const joined = events.find((event) => event.from === lane.number);
    const ends = thread && !thread.running ? Math.min(width - RIGHT, joined ? joined.x - 20 : last) : width - 18;
    lane.end = ends;
    const parts = [make("line", { x1: LEFT - 6, x2: width - 12, y1: lane.y, y2: lane.y, class: "lane" })];
    const cuts = mine.filter((event) => event.access === undefined && !event.quiet).map((event) => event.x);
    const edges = [from, ...cuts.filter((x) => x > from && x < ends), Math.max(ends, from + 12)];
    const hot = mine.filter((event) => event.access !== undefined).map((event) => event.x);
    edges.slice(1).forEach((end, i) => {
      const start = edges[i];
      const is = hot.some((x) => x >= start && x < end) ? "life hot" : "life";
      parts.push(make("line", { x1: start + (i ? 3 : 0), x2: end - 3, y1: lane.y, y2: lane.y, class: is }));
    });
    parts.push(
      make("text", { x: 8, y: lane.y + 1 }, make("title", {}, name), happenings.short(name, 23)),
      make("text", { x: 8, y: lane.y + 16, class: "dim" }, !thread ? "" : thread.running ? "running" : "finished"),
    );
    return parts;
  };

  const bar = (finding, lane, region) => {
    const from = region.begin ? region.begin.x : Math.max(LEFT, region.end.x - 60);
    // When it was given back after an access is not known.
    const until = region.seen === undefined ? lane.end - 4 : region.seen + 34;
    const to = region.end ? region.end.x : region.held ? until : region.begin.x + 70;
    const y = lane.y + 7 + lane.bars.indexOf(region.lock) * BAR;
    const name = happenings.lockName(finding, region.lock);
    const kind = `bar hue${region.lock % 4}${region.begin && (region.end || region.held) ? "" : " open"}`;
    const text = name.length * 6 < to - from - 8 ? name : name.replace(/^[^']*/, "");
    const fits = text.length * 6 < to - from - 4;
    const group = make("g", {}, make("rect", { x: from, y, width: Math.max(8, to - from), height: BAR - 3, rx: 3, class: kind }));
    group.append(make("title", {}, `${name} is held`));
    if (fits) group.append(make("text", { x: from + 5, y: y + 9.5, class: "bar-text" }, text));
    return group;
  };

  /** An arrow from one lane to another. */
  const arrow = (fx, fy, tx, ty, kind) => {
    const mid = (fx + tx) / 2;
    return make("path", { d: `M${fx} ${fy}C${mid} ${fy} ${mid} ${ty} ${tx} ${ty}`, class: `edge ${kind}`, "marker-end": `url(#head${kind ? `-${kind}` : ""})` });
  };

  const arrows = (lanes, events, regions) => events.flatMap((event) => {
    const y = lanes.get(event.thread).y;
    if (event.creates !== undefined) return [arrow(event.x, y, event.x + 26, lanes.get(event.creates).y, "")];
    if (event.from !== undefined && lanes.has(event.from)) return [arrow(event.x - 20, lanes.get(event.from).y, event.x - 4, y, "")];
    if (event.chance) return [arrow(event.chance.x, lanes.get(event.chance.thread).y, event.x - 5, y, "chance")];
    if (event.waits !== undefined) {
      const held = regions.find((region) => region.lock === event.waits && region.begin && region.thread !== event.thread);
      if (!held) return [];
      const lane = lanes.get(held.thread);
      const to = lane.y + 7 + lane.bars.indexOf(held.lock) * BAR + (lane.y < y ? BAR - 3 : 0);
      return [make("path", { d: `M${event.x} ${y}L${event.x} ${to}`, class: "edge waits", "marker-end": "url(#head-waits)" })];
    }
    return [];
  });

  const dot = ({ x, op }, y) => {
    if (op === "free") {
      return make("path", { d: `M${x - 9} ${y}L${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}Z`, class: "race write" });
    }
    return make("circle", { cx: x, cy: y, r: 8, class: /write|opening|allocation/.test(op) ? "race write" : "race" });
  };

  const mark = (event, lane, open) => {
    const group = make("g", { class: "event", tabindex: 0, role: "button" });
    const { x } = event;
    const y = lane.y;
    const middle = { "text-anchor": "middle" };
    const rows = isUnder(event) ? [y + 22 + lane.bars.length * BAR, y + 37 + lane.bars.length * BAR] : [y - 29, y - 14];
    group.append(event.access === undefined
      ? make("circle", { cx: x, cy: y, r: 5, class: event.waits !== undefined ? "dot waits" : "dot" }) : dot(event, y));
    if (event.more) {
      group.append(...label(x, rows[0], event.label, middle), ...label(x, rows[1], event.more, { ...middle, class: "dim" }));
    } else {
      group.append(...label(x, event.row === 1 ? y - 29 : y - 14, event.label, middle));
    }
    explain(group, event.title, event.stack);
    const index = event.access ?? event.call;
    if (index === undefined) return group;
    group.addEventListener("click", () => open(index));
    group.addEventListener("keydown", (key) => {
      if (key.key === "Enter" || key.key === " ") {
        key.preventDefault();
        open(index);
      }
    });
    return group;
  };

  const head = (kind) => make("marker", {
    id: `head${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
  }, make("path", { d: "M0 0L8 4L0 8Z", class: `head${kind.replace("-", " ")}` }));

  /** How far along the missing edge its text covers neither lane nor label. */
  const clearing = (a, b, ay, by, text, lanes, events) => {
    const reach = (text.length * LETTER) / 2;
    const covers = (at) => {
      const x = a.x + (b.x - a.x) * at, y = ay + (by - ay) * at;
      const under = (lane) => lane.y - 9 < y && y < lane.y + 12 + lane.bars.length * BAR;
      const label = (event) => {
        const top = lanes.get(event.thread).y - y;
        return !isUnder(event) && Math.abs(event.x - x) < reach + half(event) && top > 4 && top < 44;
      };
      return [...lanes.values()].some(under) || events.some(label);
    };
    return [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].find((at) => !covers(at)) ?? 0.5;
  };

  /** The drawing; `open(i)` is called when access `i` is clicked. */
  const draw = (finding, open) => {
    const events = happenings.of(finding);
    const regions = happenings.regions(events);
    const lanes = lanesOf(finding);
    compare(finding, lanes, events);
    const width = columns(events);
    const height = place(lanes, events, regions);
    const svg = make("svg", {
      class: "timeline", viewBox: `0 0 ${width} ${height}`, style: `min-width:${Math.round(width * 0.75)}px;max-width:${width + 20}px`,
      role: "group", "aria-label": finding.message,
    });
    svg.append(make("defs", {}, head(""), head("-chance"), head("-waits")));
    for (const lane of lanes.values()) svg.append(...life(finding, lane, events, width));
    for (const region of regions) region.seen = events.find((event) => event.access !== undefined && event.thread === region.thread)?.x;
    for (const region of regions) svg.append(bar(finding, lanes.get(region.thread), region));
    svg.append(...arrows(lanes, events, regions));
    const marks = events.map((event) => mark(event, lanes.get(event.thread), open));
    if (finding.race) {
      const [a, b] = [1, 0].map((index) => events.find((event) => event.access === index));
      const [ay, by] = [a, b].map((event) => lanes.get(event.thread).y);
      svg.append(make("path", { d: `M${a.x} ${ay}L${b.x} ${by}`, class: "missing" }), ...marks);
      const text = happenings.missing(finding);
      const at = clearing(a, b, ay, by, text, lanes, events);
      const flat = ay === by ? -20 : 4;
      svg.append(...label(a.x + (b.x - a.x) * at, ay + (by - ay) * at + flat, text, { class: "missing-text", "text-anchor": "middle" }));
    } else {
      svg.append(...marks);
    }
    return make("div", { class: "drawing" }, svg);
  };

  return { draw, stackOf, laneName, hide };
})();
