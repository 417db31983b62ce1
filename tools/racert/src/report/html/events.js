/**
 * What a drawing of a finding shows: events on the lanes of threads, from left
 * to right in an order that this run allows, and the locks held between them.
 *
 * An event has a `thread`, a `label`, mostly a `stack`, and may be an `access`
 * (its number), begin (`takes`) or end (`gives`) the region of a lock, or have
 * an edge to or `from` another lane. All but accesses and allocations begin a
 * new segment of their thread.
 */
const happenings = (() => {
  const place = (at) => (at && at.file ? ` ${at.file.split("/").pop()}${at.line ? `:${at.line}` : ""}` : "");
  const short = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

  /** Function and line of an access, without what makes names long. */
  const where = (access) => {
    const at = store.culprit(access);
    const name = at ? at.fn.replaceAll("(anonymous namespace)::", "").replace(/(?<!operator)\(.*/, "") : "";
    const file = place(at);
    return short(name || "?", Math.max(10, 34 - file.length)) + file;
  };

  const lockName = (finding, index) => (finding.locks[index] ? finding.locks[index].name : "lock");

  /** Threads are created, and the block is allocated. */
  const origins = (finding) => {
    const events = [];
    const known = new Set(finding.threads.map((thread) => thread.number));
    const allocation = finding.heap && known.has(finding.heap.thread)
      ? { thread: finding.heap.thread, label: "allocates", title: "The block is allocated", stack: finding.heap.stack, quiet: true } : null;
    if (allocation && allocation.thread === 0) events.push(allocation);
    for (const thread of finding.threads) {
      if (thread.by !== null && known.has(thread.by)) {
        events.push({
          thread: thread.by, label: `creates T${thread.number}`, title: `T${thread.number} is created`,
          stack: thread.stack, creates: thread.number,
        });
      }
      if (allocation && allocation.thread === thread.number && thread.number !== 0) events.push(allocation);
    }
    return events;
  };

  /** What a thread did to be ordered with others before its access. */
  const before = (finding, index, done) => {
    const access = finding.accesses[index];
    const thread = access.thread;
    const events = [];
    const sync = access.last_sync;
    if (sync && !(sync.act === "thread-create" && done.has(`create ${sync.thread}`))) {
      const said = store.text(sync.said);
      events.push({
        thread, label: said, title: `Last before the access: ${said}`, stack: sync.stack,
        from: sync.act === "thread-join" ? sync.thread : undefined,
      });
    }
    const last = access.last_lock;
    if (last && last.released) {
      const name = lockName(finding, last.lock);
      events.push({ thread, label: `releases ${name}`, title: `Last before the access: releases ${name}`, stack: last.stack, gives: last.lock });
    }
    for (const held of access.held) {
      if (done.has(`take ${thread} ${held.lock}`)) continue;
      const name = lockName(finding, held.lock);
      const how = held.write ? "takes" : "reads under";
      events.push({ thread, label: `${how} ${name}`, title: `${name} is taken`, stack: held.stack, takes: held.lock });
    }
    return events;
  };

  const accessed = (finding, index) => {
    const access = finding.accesses[index];
    const op = store.text(access.op);
    const size = access.size && !/descriptor/.test(op) ? `, ${access.size} byte${access.size === 1 ? "" : "s"}` : "";
    return {
      thread: access.thread, access: index, op, label: `${op}${size}`, more: where(access),
      title: `${op} of ${access.size} bytes at ${access.address}`, stack: access.stack,
    };
  };

  /** The orders of locks that hide a possible race, oldest first. */
  const handovers = (finding) => [...finding.ordered_by].reverse().flatMap(({ lock, from, to, stack }) => {
    const name = lockName(finding, lock);
    const given = { thread: from, label: `releases ${name}`, title: `${name} is released`, gives: lock };
    const taken = { thread: to, label: `takes ${name}`, title: `${name} is taken`, stack, takes: lock, chance: given };
    return [given, taken];
  });

  const race = (finding) => {
    const events = origins(finding);
    const done = new Set(events.filter((one) => one.creates !== undefined).map((one) => `create ${one.creates}`));
    events.push(...before(finding, 1, done), accessed(finding, 1));
    const between = handovers(finding);
    for (const one of between) if (one.takes !== undefined) done.add(`take ${one.thread} ${one.takes}`);
    events.push(...between, ...before(finding, 0, done), accessed(finding, 0));
    return events;
  };

  /** Calls on locks: what each says first is what it does to a lock. */
  const calls = (finding) => {
    const all = finding.accesses.map((access, index) => {
      const said = store.text(access.op).replace(/( at)?:?$/, "");
      const named = finding.locks.map((lock, i) => [said.toLowerCase().indexOf(lock.name.toLowerCase()), i]).filter(([at]) => at >= 0);
      const lock = named.length ? named.sort((a, b) => a[0] - b[0])[0][1] : undefined;
      const name = lock === undefined ? "" : lockName(finding, lock);
      const event = { thread: access.thread, call: index, title: said, stack: access.stack, more: where(access) };
      if (lock !== undefined && /\btaken by\b/.test(said)) return { ...event, label: `takes ${name}`, takes: lock };
      if (lock !== undefined && /\bwaits for\b/.test(said)) return { ...event, label: `waits for ${name}`, waits: lock };
      const label = said.replace(/ by (the )?(main thread|thread T\d+).*/, "").replace(/^(The main thread|Thread T\d+) /, "");
      return { ...event, label: short(label.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()), 46) };
    });
    // The latest comes first in a report.
    const last = all.filter((one) => one.waits !== undefined);
    return [...origins(finding), ...all.filter((one) => one.waits === undefined).reverse(), ...last.reverse()];
  };

  /** The regions of locks: lane, lock, and the events at both ends if known. */
  const regions = (events) => {
    const found = [];
    const open = new Map();
    for (const event of events) {
      if (event.takes !== undefined) {
        const region = { thread: event.thread, lock: event.takes, begin: event, end: null, held: !event.chance };
        open.set(`${event.thread} ${event.takes}`, region);
        found.push(region);
      }
      if (event.gives !== undefined) {
        const key = `${event.thread} ${event.gives}`;
        const region = open.get(key);
        if (region) region.end = event;
        else found.push({ thread: event.thread, lock: event.gives, begin: null, end: event });
        open.delete(key);
      }
    }
    return found;
  };

  const MISSING = {
    "possible-data-race": "ordered only by chance",
    "unprotected-data": "no lock in common",
    "heap-use-after-free": "used after its end",
  };

  return {
    of: (finding) => (finding.race ? race(finding) : calls(finding)),
    regions, lockName, short, where,
    missing: (finding) => MISSING[finding.kind] || "nothing orders these",
  };
})();
