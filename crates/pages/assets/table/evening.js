// The running umpire: who and whom by touch, the die, what is applied, the clock.

/** Asks the umpire; nothing where he cannot be reached. A busy server is asked again. */
async function umpire(what, body) {
  for (let tries = 0; tries < 6; tries++) {
    let response;
    try {
      response = await fetch(`/table/ask/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    } catch { return null; }
    if (response.ok) return response.json();
    if (response.status !== 429 && response.status !== 503) return null;
    await new Promise((done) => setTimeout(done, 150 * (tries + 1)));
  }
  return null;
}

/** A table that several lay together: every change is sent, those of others are heard. */
class Together {
  constructor(word, kept, told, lost) {
    Object.assign(this, { word, kept, told, lost, version: 0, queue: [], sending: true });
    try { this.queue = JSON.parse(localStorage.getItem(`${KEY}-unsent`) ?? "[]"); } catch { /* nothing is left to send */ }
    kept.listeners.push((entry, back) => {
      if (entry.heard) return;
      this.queue.push(back ? turnedRound(entry.patch) : entry.patch);
      this.save();
      this.send();
    });
  }

  static async share(kept) {
    const response = await fetch("/table/shared", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(kept.state) });
    return response.ok ? (await response.json()).word : null;
  }

  save() {
    try { localStorage.setItem(`${KEY}-unsent`, JSON.stringify(this.queue)); } catch { /* no store */ }
  }

  get address() { return `/table/shared/${this.word}`; }

  /** The table as it stands, and what this browser had not sent put on top. */
  async join() {
    const response = await fetch(this.address);
    if (!response.ok) return false;
    const { start, changes, version } = await response.json();
    const state = changes.reduce((state, { patch }) => patched(state, patch, false), start);
    this.version = version;
    this.kept.hear(patchOf(this.kept.state, state));
    for (const patch of this.queue) this.kept.hear(patch);
    this.events = new EventSource(`${this.address}/events`);
    this.events.onmessage = ({ data }) => { if (Number(data) > this.version) this.hear(); };
    this.sending = false;
    this.send();
    return true;
  }

  async hear() {
    const response = await fetch(`${this.address}?seen=${this.version}`).catch(() => null);
    if (response?.ok && !this.sending) this.take(await response.json());
  }

  /** Takes over what others did; what is still on its way comes on top, and what both touched is told. */
  take({ changes, version }) {
    if (version <= this.version) return;
    this.version = version;
    const own = new Set(this.queue.flatMap(touchedBy));
    const both = changes.flatMap(({ patch }) => touchedBy(patch)).filter((id) => own.has(id));
    // Theirs under ours: what is on its way is lifted off, and put back on top of what they did.
    let state = [...this.queue].reverse().reduce((before, patch) => patched(before, patch, true), this.kept.state);
    state = changes.reduce((before, { patch }) => patched(before, patch, false), state);
    this.queue = this.queue.map((patch) => {
      const before = state;
      state = patched(before, patch, false);
      return patchOf(before, state);
    });
    this.save();
    this.kept.hear(patchOf(this.kept.state, state));
    if (both.length) this.kept.amend(this.queue);
    this.told(changes.flatMap(({ patch }) => touchedBy(patch)), both);
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.queue.length) {
      const body = JSON.stringify({ patch: this.queue[0] });
      const response = await fetch(`${this.address}?seen=${this.version}`, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => null);
      if (response?.ok) { this.version = (await response.json()).version; this.queue.shift(); this.save(); }
      else if (response?.status === 409) this.take(await response.json());
      else if (response?.status === 404 || response?.status === 413) { this.lost(); this.sending = false; return; }
      else { await new Promise((done) => setTimeout(done, 2000)); }
    }
    this.sending = false;
    this.hear();
  }
}

/** A patch that takes another back. */
const turnedRound = (patch) => ({
  things: patch.things.map(([list, id, old, now]) => [list, id, now, old]),
  order: Object.fromEntries(Object.entries(patch.order).map(([list, [old, now]]) => [list, [now, old]])),
  fields: patch.fields.map(([name, old, now]) => [name, now, old]),
  ...(patch.rest ? { rest: [patch.rest[1], patch.rest[0]] } : {}),
});

class EveningDesk {
  constructor(root, kept, words, hooks) {
    Object.assign(this, { root, kept, words, hooks, turn: 0 });
    this.answer = root.querySelector("#laid-answer");
    this.clear();
    for (const button of root.querySelectorAll("[data-next]")) button.addEventListener("click", () => this.act({ next: button.dataset.next }, []));
    this.answer.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const { who, whom, element, die, projectile, batters, pace, further, act, dice, roll, count, of } = button.dataset;
      if (act) this.act(this.withLosses(JSON.parse(act)), JSON.parse(dice));
      else if (count) this.step(of, Number(count));
      else if (who) this.ask({ who, whom, element });
      else if (pace) this.ask({ ...this.asked, pace });
      else if (further) { this.further = true; this.hooks.said(this.words.furtherArmed); }
      else if (die) this.ask({ ...this.asked, die: Number(die) });
      else if (roll) this.ask({ ...this.asked, die: 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 6) });
      else if (projectile) this.ask({ ...this.asked, projectile, batters: undefined, die: undefined });
      else if (batters) this.ask({ ...this.asked, batters: this.asked.batters === batters ? undefined : batters });
    });
    this.tick();
  }

  clear() { this.asked = { who: null }; this.further = false; }

  tick() {
    const quarter = this.kept.state.rest.clock ?? 0;
    const facts = { period: Math.floor(quarter / 4) + 1, quarter: (quarter % 4) + 1 };
    this.root.querySelector("#laid-clock").textContent = this.words.clock.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  }

  /** A touch in asking: first who, then whom, what or where; who is touched again is let go. */
  touched(id, spot) {
    const [list, thing] = (id && this.kept.find(id)) || [];
    const body = list === "bodies" ? id : null;
    const element = list === "terrain" && ["house", "obstacle", "redoubt"].includes(kindOf(thing)) ? id : null;
    const { who, way = [], pace } = this.asked;
    const onwards = this.further && way.length;
    this.further = false;
    if (!who) this.asked = { who: body };
    else if (onwards) this.asked = { who, way: [...way, spot], pace };
    else if (body === who) this.clear();
    else if (body) this.asked = { who, whom: body };
    else if (element) this.asked = { who, element };
    else this.asked = { who, way: [spot], pace };
    return this.ask(this.asked);
  }

  async ask(asked) {
    this.asked = asked;
    const mine = ++this.turn;
    const { who, whom, element, way, pace, die, projectile, batters } = asked;
    this.hooks.marked({ who, whom: whom ?? element });
    if (!who) { this.show(null); return; }
    const evening = this.kept.evening;
    const about = whom ? { to: whom } : element ? { element } : way ? { way, ...(pace ? { pace } : {}) } : null;
    const answer = about
      ? await umpire("pair", { evening, from: who, ...about, ...(die ? { die } : {}), ...(projectile ? { projectile } : {}), ...(batters ? { batters } : {}) })
      : await umpire("may", { evening, body: who });
    if (mine === this.turn) this.show(answer);
  }

  show(answer) {
    const text = (name, message) => { const element = document.createElement(name); element.textContent = message; return element; };
    if (answer?.refused) this.answer.replaceChildren(text("p", answer.refused.text));
    else if (answer?.html) this.answer.innerHTML = answer.html;
    else this.answer.replaceChildren(text("p", this.asked.who ? this.words.unchecked : this.words.who));
    this.hooks.overlay(answer?.overlay ?? "");
    // On a phone the table stays above its answer.
    if (answer && matchMedia("(max-width: 60rem)").matches) {
      const [figure, status] = ["laid-figure", "laid-status"].map((id) => document.getElementById(id));
      figure.scrollIntoView({ block: "start" });
      // Nothing of the answer stays hidden beneath it.
      const over = figure.getBoundingClientRect().bottom - status.getBoundingClientRect().top;
      if (over > 0) scrollBy({ top: -over, behavior: "instant" });
    }
    this.answer.dataset.turn = String(this.turn);
  }

  /** One figure more or less in a field of losses. */
  step(field, by) {
    const input = document.getElementById(field);
    input.value = Math.min(Number(input.max), Math.max(0, Number(input.value) + by));
  }

  /** The ending of a round, with the figures that were counted beside it. */
  withLosses(action) {
    if (action.melee) action.melee.lost = Object.fromEntries([...this.answer.querySelectorAll("[data-lost]")].map((input) => [input.dataset.lost, Math.max(0, Math.trunc(Number(input.value)) || 0)]));
    return action;
  }

  async act(action, dice) {
    const mine = ++this.turn;
    const answer = await umpire("act", { evening: this.kept.evening, action, dice });
    if (mine !== this.turn) return;
    if (!answer?.evening) { this.show(answer); return; }
    const { table, ...rest } = answer.evening;
    this.kept.change({ table: kindred(this.kept.table, table), rest }, { action, dice, said: answer.said });
    this.clear();
    this.hooks.marked({});
    this.show({ html: answer.html + answer.open });
    this.tick();
    this.hooks.applied(answer.said);
  }
}

/** A table that came back, in the letters it had: what did not change stays as it was written. */
function kindred(before, after) {
  const next = { ...before };
  for (const list of LISTS) {
    const old = new Map((before[list] ?? []).map((one) => [one.id, one]));
    const now = (after[list] ?? []).map((one) => (old.has(one.id) ? merged(old.get(one.id), one) : trimmed(one)));
    if (now.length || before[list]) next[list] = now;
  }
  return next;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A value written anew over one that was written before: its order and its silences are kept. */
function merged(old, now) {
  if (Array.isArray(old) && Array.isArray(now)) return now.map((one, k) => (k < old.length ? merged(old[k], one) : trimmed(one)));
  if (!isObject(old) || !isObject(now)) return now;
  const next = {};
  for (const [key, value] of Object.entries(old)) {
    if (key in now) next[key] = merged(value, now[key]);
    else if (value === "" || (Array.isArray(value) && !value.length)) next[key] = value;
  }
  for (const [key, value] of Object.entries(now)) if (!(key in old) && !isDefault(key, value)) next[key] = trimmed(value);
  return next;
}

/** A value without the defaults that need not be written. */
function trimmed(value) {
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, one]) => !isDefault(key, one)).map(([key, one]) => [key, trimmed(one)]));
}

const isDefault = (key, value) => (isObject(value) ? Object.entries(value).every(([inner, one]) => isDefault(inner, one)) : DEFAULTS.has(`${key}:${JSON.stringify(value)}`));

/** What a table need not say, as the umpire writes it out. */
const DEFAULTS = new Set([
  "status:\"regular\"", "state:\"formed\"", "situation:\"steady\"", "marker:0", "all:0", "to_ball:0", "class:\"a\"", "team:\"foot\"",
  "howitzers:false", "budget:0", "elite:false", "sappers:false", "light:false", "cuirass:false", "lance:false", "general:true", "moving:false",
  "angle:90", "burning:false", "breached:false", "closed:false", "kind:\"forest\"", "vegetation:true", "built_by_sappers:false",
  "melee_q1:false", "melee_q2:false", "revealed:false", "at_ford:false", "reacting:false",
]);
