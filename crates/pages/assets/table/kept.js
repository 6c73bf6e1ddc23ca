// The table as this browser keeps it: the table, the evening around it, and all that was done, to be
// taken back without end.

/** The word of a table that is laid together, from the address. */
const SHARED = new URLSearchParams(location.search).get("at");
/** Where this browser keeps the table: one of one's own, and one for each that is laid together. */
const KEY = SHARED ? `glacis-table-${SHARED}` : "glacis-table";
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const copy = (value) => structuredClone(value);
const LISTS = ["terrain", "bodies"];

/** A table without anything on it. */
const bare = () => ({ name: "", width: 120, depth: 90, terrain: [], bodies: [] });

/** What changed from one state to another: each thing before and after, and the order if it changed. */
function patchOf(before, after) {
  const patch = { things: [], order: {}, fields: [] };
  for (const list of LISTS) {
    const [old, now] = [before.table[list] ?? [], after.table[list] ?? []];
    const [oldBy, nowBy] = [new Map(old.map((one) => [one.id, one])), new Map(now.map((one) => [one.id, one]))];
    for (const id of new Set([...oldBy.keys(), ...nowBy.keys()])) {
      if (!same(oldBy.get(id), nowBy.get(id))) patch.things.push([list, id, oldBy.get(id) ?? null, nowBy.get(id) ?? null]);
    }
    const [ids, fresh] = [old.map((one) => one.id), now.map((one) => one.id)];
    if (!same(ids, fresh) || (before.table[list] === undefined) !== (after.table[list] === undefined)) {
      patch.order[list] = [before.table[list] && ids, after.table[list] && fresh];
    }
  }
  for (const name of new Set([...Object.keys(before.table), ...Object.keys(after.table)])) {
    if (!LISTS.includes(name) && !same(before.table[name], after.table[name])) patch.fields.push([name, before.table[name] ?? null, after.table[name] ?? null]);
  }
  if (!same(before.rest, after.rest)) patch.rest = [before.rest, after.rest];
  return patch;
}

/** The state after a patch, or before it. */
function patched(state, patch, back) {
  const at = back ? 0 : 1;
  const next = { ...state, table: { ...state.table } };
  for (const [name, ...values] of patch.fields) {
    if (values[at] === null) delete next.table[name]; else next.table[name] = values[at];
  }
  for (const list of LISTS) {
    const by = new Map((next.table[list] ?? []).map((one) => [one.id, one]));
    let touched = list in patch.order;
    for (const [of, id, ...values] of patch.things) {
      if (of !== list) continue;
      touched = true;
      if (values[at]) by.set(id, values[at]); else by.delete(id);
    }
    if (!touched) continue;
    const order = list in patch.order ? patch.order[list][at] : (next.table[list] ?? []).map((one) => one.id);
    if (!order && by.size === 0) { delete next.table[list]; continue; }
    // What another put down meanwhile stays, at the end.
    const rest = [...by.keys()].filter((id) => !order?.includes(id));
    next.table[list] = [...(order ?? []), ...rest].filter((id) => by.has(id)).map((id) => by.get(id));
  }
  if (patch.rest) next.rest = patch.rest[at];
  return next;
}

/** The names of the things a patch touches. */
const touchedBy = (patch) => patch.things.map(([, id]) => id);

/** A value on one line, as the scenes of the house are written. */
function line(value) {
  if (Array.isArray(value)) return `[${value.map(line).join(", ")}]`;
  if (value && typeof value === "object") return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${line(one)}`).join(", ")}}`;
  return JSON.stringify(value);
}

/** A table as a file: one line for each thing. */
function written(table) {
  const parts = Object.entries(table).map(([name, value]) => {
    if (!LISTS.includes(name) || !value.length) return `  ${JSON.stringify(name)}: ${line(value)}`;
    return `  ${JSON.stringify(name)}: [\n${value.map((one) => `    ${line(one)}`).join(",\n")}\n  ]`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

/** So many of the last changes stand beside the table; older ones go to the archive in bundles of so many. */
const [RECENT, BUNDLE] = [200, 100];

/** Where the older past of a table is kept: it has no end, and the small store of a browser has. */
class Archive {
  constructor() {
    this.base = new Promise((done) => {
      if (!globalThis.indexedDB) { done(null); return; }
      const opening = indexedDB.open("glacis-table", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("past");
      opening.onsuccess = () => done(opening.result);
      opening.onerror = () => done(null);
    });
  }

  async ask(mode, wish) {
    const base = await this.base;
    if (!base) return null;
    return new Promise((done) => {
      const request = wish(base.transaction("past", mode).objectStore("past"));
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    });
  }

  put(number, bundle) { return this.ask("readwrite", (store) => store.put(bundle, `${KEY}/${number}`)); }
  take(number) { return this.ask("readwrite", (store) => store.delete(`${KEY}/${number}`)); }
  get(number) { return this.ask("readonly", (store) => store.get(`${KEY}/${number}`)); }
}

/** The table, its past and its file. */
class Kept {
  constructor() {
    this.fresh(bare());
    this.drawn = {};
    this.listeners = [];
    this.archive = new Archive();
    try {
      const saved = JSON.parse(localStorage.getItem(KEY) ?? "null");
      if (saved?.state?.table) Object.assign(this, saved);
      this.drawn = JSON.parse(localStorage.getItem(`${KEY}-drawn`) ?? "{}");
    } catch { /* what cannot be read is not there */ }
  }

  /** Brings the older past back from the archive, bundle after bundle; what is lost there ends it. */
  async recall() {
    const all = [];
    for (let number = this.bundles - 1; number >= 0; number--) {
      const bundle = await this.archive.get(number);
      if (!bundle) { this.bundles -= number + 1; break; }
      all.unshift(...bundle);
    }
    this.past = [...all, ...this.past];
  }

  /** Changes that stand in the archive. */
  get archived() { return this.bundles * BUNDLE; }

  /** Moves what is old into the archive, and takes back what is needed again. */
  shelve() {
    while (this.past.length - this.archived > RECENT) {
      this.archive.put(this.bundles, this.past.slice(this.archived, this.archived + BUNDLE));
      this.bundles++;
    }
    while (this.bundles && this.past.length < this.archived) { this.bundles--; this.archive.take(this.bundles); }
  }

  fresh(table, text = null) {
    this.state = { table, rest: {} };
    Object.assign(this, { text, first: copy(table), past: [], future: [], bundles: 0 });
  }

  get table() { return this.state.table; }
  get evening() { return { ...this.state.rest, table: this.state.table }; }

  /** Another table, from a file or from nothing; even that can be taken back. */
  open(table, text = null) {
    const before = this.text;
    this.change({ table, rest: {} }, { opened: [before, text] });
    this.text = text;
    this.save();
  }

  change(next, how = {}) {
    // What is laid by hand ends the fire phase that was open: the table counts as it lies.
    if (!how.action && next.rest.phase) next = { ...next, rest: { ...next.rest, phase: null } };
    const patch = patchOf(this.state, next);
    if (!patch.things.length && !patch.fields.length && !patch.rest && !Object.keys(patch.order).length) return null;
    this.state = next;
    const entry = { patch, ...how };
    this.past.push(entry);
    this.future = [];
    this.tell(entry, false);
    return entry;
  }

  /** A change that came from elsewhere: it is not ours to take back. */
  hear(patch) {
    this.state = patched(this.state, patch, false);
    this.tell({ patch, heard: true }, false);
  }

  /** Own changes that were put over another's: taken back, they give the other's again. */
  amend(patches) {
    const last = this.past.slice(-patches.length);
    patches.forEach((patch, k) => { if (last[k] && same(touchedBy(last[k].patch), touchedBy(patch))) last[k].patch = patch; });
  }

  /** One change back or forth. What another changed since is told, and stands again when this is turned round. */
  step(from, to, back) {
    const entry = from.pop();
    if (!entry) return;
    const before = this.state;
    const expected = entry.patch.things.filter(([list, id, old, now]) => {
      const there = (before.table[list] ?? []).find((one) => one.id === id) ?? null;
      return !same(there, back ? now : old);
    });
    this.state = patched(before, entry.patch, back);
    const patch = expected.length ? patchOf(...(back ? [this.state, before] : [before, this.state])) : entry.patch;
    if (entry.opened) this.text = entry.opened[back ? 0 : 1];
    const done = { ...entry, patch };
    to.push(done);
    this.tell({ ...done, over: expected.map(([, id]) => id) }, back);
  }

  undo() { this.step(this.past, this.future, true); }
  redo() { this.step(this.future, this.past, false); }

  tell(entry, back) {
    this.save();
    for (const listener of this.listeners) listener(entry, back);
  }

  save() {
    this.shelve();
    const { state, text, first, future, bundles } = this;
    const past = this.past.slice(this.archived);
    try {
      localStorage.setItem(KEY, JSON.stringify({ state, text, first, past, future, bundles }));
      localStorage.setItem(`${KEY}-drawn`, JSON.stringify(this.drawn));
    } catch {
      // The store is full: the table itself goes before its picture, and that before its past.
      try {
        localStorage.removeItem(`${KEY}-drawn`);
        localStorage.setItem(KEY, JSON.stringify({ state, text, first, past: past.slice(-50), future: [], bundles: 0 }));
      } catch { /* no store */ }
    }
  }

  /** The file: as it was read if nothing differs, to the byte. */
  file() {
    if (this.text !== null && same(JSON.parse(this.text), this.table)) return this.text;
    return written(this.table);
  }

  find(id) {
    for (const list of LISTS) {
      const thing = (this.table[list] ?? []).find((one) => one.id === id);
      if (thing) return [list, thing];
    }
    return null;
  }

  /** The state with one thing put down, replaced or taken away. */
  with(list, id, thing) {
    const all = this.table[list] ?? [];
    const there = all.some((one) => one.id === id);
    const next = thing ? (there ? all.map((one) => (one.id === id ? thing : one)) : [...all, thing]) : all.filter((one) => one.id !== id);
    return { ...this.state, table: { ...this.table, [list]: next } };
  }

  /** A name that nothing has yet, nor any of those just given away. */
  name(kind, taken = new Set()) {
    for (let number = 1; ; number++) {
      const name = `${kind}-${number}`;
      if (this.find(name) || taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  }

  /** An evening from its record: each entry is a change that can be taken back and done again. */
  replay(entries) {
    this.fresh(bare());
    let state = this.state;
    for (const { action, dice, evening: { table, ...rest } } of entries) {
      const sheet = Object.fromEntries(Object.entries(table).filter(([name]) => !LISTS.includes(name)));
      const next = { table: { ...kindred(state.table, table), ...sheet }, rest };
      const how = action?.lay ? { opened: [null, null] } : action?.edit || !action ? {} : { action, dice };
      this.past.push({ patch: patchOf(state, next), ...how });
      state = next;
    }
    this.state = state;
    this.tell({ patch: patchOf({ table: bare(), rest: {} }, state), heard: true }, false);
  }

  /** Everything done, as the record wants it: the first table, then each action or edit. */
  actions() {
    const actions = [{ action: { lay: this.first } }];
    let state = { table: this.first, rest: {} };
    for (const { patch, action, dice, opened } of this.past) {
      state = patched(state, patch, false);
      if (action) actions.push({ action, dice: dice ?? [] });
      else if (opened) actions.push({ action: { lay: state.table } });
      else {
        const kinds = { terrain: "terrain", bodies: "body" };
        const put = patch.things.filter(([, , , now]) => now).map(([list, , , now]) => ({ [kinds[list]]: now }));
        const taken = patch.things.filter(([, , , now]) => !now).map(([, id]) => id);
        const { name, story = "", width, depth } = state.table;
        const sheet = patch.fields.length ? { sheet: { name, story, width, depth } } : {};
        actions.push({ action: { edit: { put, taken, ...sheet } } });
      }
    }
    return actions;
  }
}
