/** Unpacks the findings and finds those that pass the filters. */
const store = (() => {
  const packed = JSON.parse(document.getElementById("data").textContent);
  const text = (index) => (index < 0 ? "" : packed.strings[index]);

  const frame = (index) => {
    const [fn, file, line, column, module, offset, inlined] = packed.frames[index];
    return {
      fn: text(fn), file: text(file), line, column,
      module: text(module), offset: text(offset), inlined: inlined === 1,
    };
  };

  const stack = (index) => {
    const [lost, frames] = packed.stacks[index];
    return { lost: lost === 1, frames: frames.map(frame) };
  };

  /** `file:line` of an access, `module+offset` without. */
  const position = (at) => {
    if (!at) return "";
    if (at.file) return at.line ? `${at.file}:${at.line}` : at.file;
    return at.module ? `${at.module}+${at.offset}` : at.offset;
  };

  const culprit = (access) => {
    const frames = packed.stacks[access.stack][1];
    return frames.length ? frame(frames[access.at]) : null;
  };

  const findings = packed.findings.map((finding) => {
    const frames = finding.accesses.map(culprit);
    const modules = frames.map((at) => (at && at.module) || "");
    return {
      ...finding,
      kind: text(finding.kind), title: text(finding.title),
      files: [...new Set(frames.map((at) => (at && at.file) || ""))].filter(Boolean),
      modules: [...new Set(modules)].filter(Boolean),
      where: [...new Set(frames.map(position))].filter(Boolean).join(" and "),
    };
  });
  for (const finding of findings) {
    finding.haystack =
      `${finding.headline} ${finding.where} ${finding.id} ${finding.modules.join(" ")}`.toLowerCase();
  }

  /** The findings that pass. */
  const filter = ({ search, kind, status, file, module }) => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return findings.filter((finding) =>
      (!kind || finding.kind === kind) &&
      (!status || finding.status === status) &&
      (!file || finding.files.includes(file)) &&
      (!module || finding.modules.includes(module)) &&
      words.every((word) => finding.haystack.includes(word)));
  };

  /** Values of one kind with how often they occur, most frequent first. */
  const values = (of) => {
    const counts = new Map();
    for (const finding of findings) {
      for (const value of of(finding)) counts.set(value, (counts.get(value) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  };

  return { findings, filter, values, text, stack, frame, position, culprit };
})();

/** Makes an element: `make("div", {class: "x"}, "text", child)`. */
const make = (tag, attributes = {}, ...children) => {
  const svg = ["svg", "g", "path", "line", "circle", "rect", "text", "marker", "defs", "title"];
  const element = svg.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
