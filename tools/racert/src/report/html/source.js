/** Source lines with colours. */
const source = (() => {
  const WORDS = new Set((
    "alignas alignof as async atomic auto await bool break case catch char class const constexpr " +
    "continue crate default delete do double dyn else enum explicit extern false final float fn for " +
    "friend goto if impl in inline int let long loop match mod move mut mutable namespace new " +
    "noexcept nullptr operator override private protected pub public ref register return self " +
    "short signed sizeof static static_assert struct super switch template this thread_local throw " +
    "trait true try type typedef typename union unsafe unsigned use using virtual void volatile " +
    "where while"
  ).split(" "));
  const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])')|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;

  /** Pieces of a line: text, or elements that stand for a colour. */
  const colored = (line) => {
    const pieces = [];
    let end = 0;
    for (const match of line.matchAll(TOKEN)) {
      const [token, comment, quoted, digit] = match;
      const tag = comment ? "s" : quoted ? "i" : digit ? "u" : WORDS.has(token) ? "b" : null;
      if (!tag) continue;
      pieces.push(line.slice(end, match.index), make(tag, {}, token));
      end = match.index + token.length;
    }
    pieces.push(line.slice(end));
    return pieces;
  };

  /** White space as wide as the first `bytes` of a line; columns count bytes. */
  const blank = (line, bytes) => {
    const encoder = new TextEncoder();
    let width = 0;
    let out = "";
    for (const letter of line) {
      width += encoder.encode(letter).length;
      if (width > bytes) return out;
      out += letter === "\t" ? "\t" : " ";
    }
    return null;
  };

  /** The excerpt of an access, or nothing. */
  const excerpt = (access) => {
    const at = store.culprit(access);
    if (!access.source || !at) return null;
    const [first, lines] = access.source;
    const rows = [];
    lines.map(store.text).forEach((line, i) => {
      const here = first + i === at.line;
      const number = make("span", { class: "number" }, String(first + i));
      rows.push(make("div", here ? { class: "here" } : {}, number, ...colored(line)));
      const before = here && at.column ? blank(line, at.column - 1) : null;
      if (before !== null) {
        const mark = make("span", { class: "mark" }, "^");
        rows.push(make("div", {}, make("span", { class: "number" }), before, mark));
      }
    });
    return make("pre", { class: "code" }, ...rows);
  };

  return { excerpt };
})();
