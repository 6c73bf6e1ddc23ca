// The table as a whole: the sheet, the desk, the files, the evening, and what the umpire says of every change.

const laid = document.getElementById("laid");
if (laid) start(laid);

async function start(root) {
  const words = JSON.parse(root.dataset.words);
  const $ = (id) => document.getElementById(id);
  const kept = new Kept();
  await kept.recall();
  const units = await fetch(root.dataset.units).then((response) => response.json());
  let names = {};
  let asking = false;
  let waiting = null;
  const pending = new Set();

  /** Says something to who does not see the table: what was moved, where it is now and what it touches. */
  const announce = (text) => { $("laid-said").textContent = text; };
  const status = (text, wrong = false) => { $("laid-status").textContent = text; $("laid-status").classList.toggle("is-wrong", wrong); };

  // --- what the umpire says --------------------------------------------------------------------
  /** Shows what cannot stand so, each with its rule. */
  const judged = (answer) => {
    sheet.wrong = new Set(answer.faults.map(({ id }) => id).filter(Boolean));
    $("laid-faults").replaceChildren(...answer.faults.slice(0, 8).map(({ id, rule, text }) => {
      const item = made("li", {}, text, " ");
      if (rule) item.append(made("a", { class: "rule", href: `/rules/${rule}` }, rule));
      if (id) item.addEventListener("click", (event) => { if (!event.target.closest("a")) choose(id); });
      return item;
    }));
    root.dataset.legal = String(answer.legal);
    const bare = !kept.table.terrain?.length && !kept.table.bodies?.length;
    if (!sheet.armed) status(bare ? words.empty : answer.legal ? words.legal : answer.said, !answer.legal);
  };
  /** Takes over what was drawn. */
  const taken = (answer, table) => {
    const by = new Map([...(table.terrain ?? []), ...(table.bodies ?? [])].map((one) => [one.id, one]));
    for (const thing of answer.things) {
      const of = by.get(thing.id);
      kept.drawn[thing.id] = { ...thing, of, middle: of && middleOf(of) };
    }
    if (answer.patterns) { kept.drawn.patterns = { svg: answer.patterns }; sheet.defs.innerHTML = answer.patterns; }
    Object.assign(names, answer.names);
  };
  /** Has the table looked over, one question at a time; what changed meanwhile is asked about next. */
  const look = async (whole = false) => {
    root.setAttribute("aria-busy", "true");
    if (waiting) { if (whole) pending.add("*"); return waiting; }
    const all = whole || pending.has("*") || !kept.drawn.patterns;
    const only = [...pending].filter((id) => id !== "*");
    pending.clear();
    const table = kept.table;
    waiting = umpire("look", { scene: table, ...(all ? {} : { only }) });
    const answer = await waiting;
    waiting = null;
    if (!answer) { status(words.unchecked, true); root.dataset.legal = "unknown"; only.forEach((id) => pending.add(id)); if (all) pending.add("*"); root.removeAttribute("aria-busy"); return null; }
    if (answer.refused) { status(answer.refused.text, true); root.removeAttribute("aria-busy"); return null; }
    taken(answer, table);
    const before = sheet.wrong;
    judged(answer);
    // What stands rightly or wrongly by another's change is drawn and named anew, too.
    const drawn = new Set(answer.things.map(({ id }) => id));
    for (const id of [...before, ...sheet.wrong]) if (before.has(id) !== sheet.wrong.has(id) && !drawn.has(id) && kept.find(id)) pending.add(id);
    kept.save();
    sheet.draw(all ? null : new Set(only));
    panel();
    const moved = !all && sheet.chosen !== null && only.includes(sheet.chosen) ? sheet.chosen : document.activeElement?.closest?.("[data-id]")?.dataset.id;
    if (!all && moved && only.includes(moved)) announce([kept.drawn[moved]?.said, ...answer.faults.filter(({ id }) => id === moved).map(({ text }) => text)].filter(Boolean).join(". "));
    if (pending.size) return look();
    root.removeAttribute("aria-busy");
    return answer;
  };
  /** A step of a drag: judged and drawn where the hand holds it, the newest only. */
  let tried = null;
  const trying = async (list, id, thing) => {
    tried = { list, id, thing };
    if (waiting) return;
    const now = tried;
    tried = null;
    const table = kept.with(list, id, thing).table;
    const before = performance.now();
    waiting = umpire("look", { scene: table, only: [id] });
    const answer = await waiting;
    waiting = null;
    root.dataset.step = (performance.now() - before).toFixed(1);
    if (answer?.things && sheet.held?.id === id) {
      const drawn = answer.things[0];
      const group = sheet.group(id);
      if (drawn && group && same(sheet.held.next, now.thing)) {
        group.removeAttribute("transform");
        group.innerHTML = drawn.svg;
      }
      judged(answer);
      sheet.mark();
    }
    if (tried) trying(tried.list, tried.id, tried.thing); else if (pending.size) look();
  };

  // --- hands -----------------------------------------------------------------------------------
  const nameOf = (id) => names[id] ?? kept.find(id)?.[1]?.label ?? id;
  const panel = () => { if (!asking) chosenPanel.show(sheet.chosen && kept.find(sheet.chosen), sheet.chosen && nameOf(sheet.chosen)); else chosenPanel.show(null); };
  const choose = (id) => { if (sheet.armed?.corner) sheet.armed = null; sheet.chosen = id; sheet.mark(); panel(); };
  const changed = (list, id, thing) => {
    kept.change(kept.with(list, id, thing));
    if (!thing && sheet.chosen === id) choose(null);
  };
  /** Arms the next touches: each is a corner more of the thing. */
  const corner = (thing) => {
    const on = sheet.armed?.corner !== thing.id;
    palette.pressed(null);
    sheet.armed = on ? { corner: thing.id } : null;
    status(on ? words.furtherArmed : "");
    panel();
  };
  const dropped = (item, [x, y]) => {
    if (item.corner) {
      const [list, thing] = kept.find(item.corner) ?? [];
      if (!thing) return;
      const [next, end] = cornered(thing, [x, y], item.end);
      item.end = end;
      changed(list, thing.id, next);
      return;
    }
    sheet.armed = null;
    palette.pressed(null);
    if (item.kind) {
      const things = laidDown(item.kind, [x, y], kept.table, (kind, taken) => kept.name(kind, taken));
      sheet.chosen = things[things.length === 1 ? 0 : things.length - 2].id;
      kept.change({ ...kept.state, table: { ...kept.table, terrain: [...(kept.table.terrain ?? []), ...things] } });
      return;
    }
    const { unit, side } = item;
    const number = (kept.table.bodies ?? []).filter((body) => body.label?.startsWith(unit.name)).length + 1;
    // What a list does not say is not written.
    const body = JSON.parse(JSON.stringify(unit.body, (_, value) => (value === null ? undefined : value)));
    const thing = { id: kept.name(side), label: number > 1 ? `${unit.name} ${number}` : unit.name, side, ...body,
      place: { stand: { at: [x, y], facing: side === "blue" ? 0 : 180, formation: unit.formation } } };
    sheet.chosen = thing.id;
    kept.change(kept.with("bodies", thing.id, thing));
  };
  /** Moves a thing where it belongs; a body into contact with the nearest thing it can touch. */
  const snap = (list, thing, to) => {
    if (to !== "contact") {
      const next = SNAPS[to](thing, kept.table);
      if (next) changed(list, thing.id, next); else status(words.snapNone, true);
      return;
    }
    const own = sheet.group(thing.id)?.querySelector(".laid-pick");
    if (!own) return;
    const points = (shape) => { const all = [...shape.points].map(({ x, y }) => [x, y]); return shape.localName === "polygon" ? [...all, all[0]] : all; };
    const edges = (list) => list.slice(1).map((point, k) => [list[k], point]);
    const mine = points(own);
    let best = null;
    for (const group of sheet.layers.things.children) {
      const [list, other] = kept.find(group.dataset.id) ?? [];
      if (!other || other.id === thing.id || (list === "terrain" && !other.shape.obstacle && !other.shape.house && !other.shape.redoubt)) continue;
      const shape = group.querySelector(".laid-pick");
      if (!shape || shape.points.length < 2) continue;
      const theirs = points(shape);
      const ways = [...mine.flatMap((point) => edges(theirs).map((edge) => toEdge(point, edge))), ...theirs.flatMap((point) => edges(mine).map((edge) => toEdge(point, edge).map((part) => -part)))];
      for (const way of ways) if (!best || Math.hypot(...way) < Math.hypot(...best)) best = way;
    }
    if (!best) { status(words.snapNone, true); return; }
    const next = copy(thing);
    next.place.stand.at = [hundredth(thing.place.stand.at[0] + best[0] / 10), hundredth(thing.place.stand.at[1] - best[1] / 10)];
    changed("bodies", thing.id, next);
  };
  /** Puts a body into the nearest house, or before the one it is in. */
  const garrison = async (thing) => {
    const inside = thing.place.garrison?.house;
    const near = inside ? kept.find(inside)?.[1] : nearest(kept.table, thing.place.stand?.at ?? middleOf(thing), (one) => one.shape.house);
    if (!near) { status(words.snapNone, true); return; }
    if (inside) {
      const next = copy(thing);
      const [x, y] = middleOf(near);
      next.place = { stand: { at: at([x, y - near.shape.house.width / 2 - near.shape.house.length / 2 - 1]), facing: 180, formation: "line" } };
      changed("bodies", thing.id, next);
      return;
    }
    const answer = await umpire("garrison", { scene: kept.table, body: thing.id, house: near.id });
    if (answer?.place) changed("bodies", thing.id, { ...copy(thing), place: trimmed(answer.place) });
    else status(answer?.refused?.text ?? words.unchecked, true);
  };
  const touched = (id, spot) => { if (asking) evening.touched(id, spot); else choose(id); };
  const sheet = new LaidSheet($("laid-svg"), kept, { asking: () => asking, trying, changed, dropped, touched, words });
  const palette = new Palette($("laid-palette"), units, (item) => {
    sheet.armed = item;
    if (item) status(words.armed.replace("{name}", item.name));
  });
  const chosenPanel = new ChosenPanel($("laid-chosen"), words, units, { changed, snap, garrison, corner, cornering: () => sheet.armed?.corner, table: () => kept.table });
  const evening = new EveningDesk($("laid-evening"), kept, words, {
    marked: (marks) => { sheet.marks = marks; sheet.mark(); status(marks.who ? words.whom : words.who); },
    said: (text) => status(text),
    overlay: (markup) => { sheet.layers.overlay.innerHTML = markup; },
    applied: (said) => { status(said || words.applied); root.dataset.applied = String(Number(root.dataset.applied ?? 0) + 1); },
  });
  const mode = (ask) => {
    asking = ask;
    root.classList.toggle("is-asking", ask);
    $("mode-lay").setAttribute("aria-pressed", String(!ask));
    $("mode-ask").setAttribute("aria-pressed", String(ask));
    $("laid-evening").hidden = !ask;
    sheet.armed = null;
    sheet.layers.overlay.replaceChildren();
    evening.clear();
    sheet.marks = {};
    if (ask) { choose(null); evening.show(null); status(words.who); } else { panel(); sheet.mark(); }
  };
  $("mode-lay").addEventListener("click", () => mode(false));
  $("mode-ask").addEventListener("click", () => mode(true));
  $("undo").addEventListener("click", () => kept.undo());
  $("redo").addEventListener("click", () => kept.redo());
  $("closer").addEventListener("click", () => sheet.zoom(0.7));
  $("farther").addEventListener("click", () => sheet.zoom(1.43));
  $("all").addEventListener("click", () => sheet.all());
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.closest("input, textarea")) return;
    event.preventDefault();
    if (event.shiftKey) kept.redo(); else kept.undo();
  });
  const tools = () => { $("undo").disabled = !kept.past.length; $("redo").disabled = !kept.future.length; };
  const fields = () => { for (const side of ["name", "width", "depth"]) $(`table-${side}`).value = kept.table[side]; };
  kept.listeners.push((entry) => {
    for (const id of touchedBy(entry.patch)) pending.add(id);
    if (entry.over?.length && SHARED) $("table-heard").textContent = words.takenOver.replace("{names}", entry.over.map(nameOf).join(", "));
    const ids = new Set(touchedBy(entry.patch));
    if (entry.patch.fields.length) pending.add("*");
    sheet.draw(ids);
    evening.tick();
    tools();
    fields();
    panel();
    look();
  });

  // --- the table itself and its files ----------------------------------------------------------
  for (const side of ["name", "width", "depth"]) {
    $(`table-${side}`).addEventListener("change", ({ target }) => {
      const value = side === "name" ? target.value : target.valueAsNumber;
      if (side === "name" || Number.isFinite(value)) kept.change({ ...kept.state, table: { ...kept.table, [side]: value } });
    });
  }
  /** An evening that somebody kept: played again by the umpire, then gone on with from its end. */
  const replayed = async (text) => {
    const entries = await umpire("replay", { record: text });
    if (!Array.isArray(entries)) { status(entries?.refused?.text ?? words.unchecked, true); return; }
    sheet.chosen = null;
    kept.drawn = kept.drawn.patterns ? { patterns: kept.drawn.patterns } : {};
    kept.replay(entries);
    sheet.all();
    tools();
    $("table-heard").textContent = words.replayed.replace("{count}", entries.length);
  };
  const opened = async (text) => {
    // A record is a line for each thing that was done, the first of them its heading.
    if (/^\s*\{[^\n]*"system"\s*:/.test(text)) { await replayed(text); return; }
    try {
      const table = JSON.parse(text);
      if (typeof table !== "object" || !table || Array.isArray(table)) throw new TypeError("{…}");
      kept.drawn = kept.drawn.patterns ? { patterns: kept.drawn.patterns } : {};
      sheet.chosen = null;
      kept.open(table, text);
      sheet.all();
    } catch (fault) { status(words.unreadable.replace("{reason}", fault.message), true); }
  };
  const given = (text, name, kind) => {
    const link = made("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const fileName = () => (kept.table.name || "table").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  $("table-new").addEventListener("click", () => { sheet.chosen = null; kept.open(bare()); });
  $("table-open").addEventListener("change", async ({ target }) => { if (target.files[0]) opened(await target.files[0].text()); target.value = ""; });
  $("table-save").addEventListener("click", () => given(kept.file(), `${fileName()}.json`, "application/json"));
  $("table-example").addEventListener("change", async ({ target }) => {
    if (!target.value) return;
    const response = await fetch(`/table/example/${target.value}`);
    if (response.ok) opened(await response.text());
    target.value = "";
  });
  $("table-record").addEventListener("click", async () => {
    const answer = await umpire("record", { actions: kept.actions() });
    if (answer?.record) given(answer.record, `${fileName()}.jsonl`, "application/jsonl");
    else status(answer?.refused?.text ?? words.unchecked, true);
  });
  $("table-svg").addEventListener("click", async () => {
    const answer = await umpire("svg", { scene: kept.table });
    if (answer?.svg) given(answer.svg, `${fileName()}.svg`, "image/svg+xml"); else status(answer?.refused?.text ?? words.unchecked, true);
  });
  // What is printed stands alone on the paper, and only while it is printed.
  const printed = (what) => { document.body.classList.add(what); print(); };
  addEventListener("afterprint", () => document.body.classList.remove("prints-sheet", "prints-cards"));
  $("table-print").addEventListener("click", async () => {
    // The sheet with its measures, if the table can be checked; else what lies on the screen. A picture of
    // its own, so that its patterns and letters are not those of the screen.
    const answer = await umpire("svg", { scene: kept.table });
    sheet.all();
    if (!answer?.svg) { print(); return; }
    const picture = made("img", { src: `data:image/svg+xml,${encodeURIComponent(answer.svg)}`, alt: "" });
    $("laid-print").replaceChildren(picture);
    await picture.decode();
    printed("prints-sheet");
  });
  $("table-cards").addEventListener("click", async () => {
    const answer = await umpire("cards", { scene: kept.table });
    if (!answer?.html) { status(answer?.refused?.text ?? words.unchecked, true); return; }
    $("laid-cards").innerHTML = answer.html;
    $("laid-cards").scrollIntoView();
    printed("prints-cards");
  });
  $("table-viewer").addEventListener("submit", ({ target }) => { target.elements.table.value = JSON.stringify(kept.table); });

  // --- laid together ---------------------------------------------------------------------------
  const sharedAt = (word) => {
    const link = new URL(`/table?at=${word}`, location.href).href;
    $("table-shared").hidden = false;
    $("table-shared").replaceChildren(words.shared, " ", made("a", { href: link }, link));
  };
  $("table-share").addEventListener("click", async () => {
    const word = (root.dataset.shared && SHARED) || await Together.share(kept).catch(() => null);
    if (!word) { status(words.unchecked, true); return; }
    if (word !== SHARED) { location.assign(`/table?at=${word}`); return; }
    sharedAt(word);
    navigator.clipboard?.writeText(new URL(`/table?at=${word}`, location.href).href).catch(() => {});
  });
  if (SHARED) {
    const together = new Together(SHARED, kept, (ids, both) => {
      const named = (list) => [...new Set(list)].map(nameOf).join(", ");
      $("table-heard").textContent = both.length ? words.conflict.replace("{names}", named(both)) : words.otherChanged.replace("{names}", named(ids));
    }, () => status(words.forgotten, true));
    together.join().then((there) => { if (there) { sharedAt(SHARED); root.dataset.shared = "true"; } else status(words.forgotten, true); }).catch(() => status(words.unchecked, true));
  }

  // --- a photograph beneath --------------------------------------------------------------------
  const photo = new Photo(sheet, `${KEY}-photo`);
  $("table-photo").addEventListener("change", async ({ target }) => {
    if (!target.files[0]) return;
    await photo.open(target.files[0]);
    $("photo-away").hidden = false;
    status(target.dataset.hint);
    target.value = "";
  });
  $("photo-away").hidden = !photo.data;
  $("photo-away").addEventListener("click", () => { photo.away(); $("photo-away").hidden = true; });

  if (kept.drawn.patterns) sheet.defs.innerHTML = kept.drawn.patterns.svg;
  sheet.draw(null);
  tools();
  fields();
  look(true);
  addEventListener("online", () => look(true));
  if ("serviceWorker" in navigator) {
    const files = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")].map((one) => one.href || one.src);
    const worker = navigator.serviceWorker;
    worker.register("/table-worker.js", { scope: "/table" }).then(() => worker.ready).then(({ active }) => active.postMessage([location.pathname, root.dataset.units, ...files])).catch(() => {});
    worker.addEventListener("message", ({ data }) => { root.dataset.offline = String(data); });
  }
  root.dataset.ready = "true";
}
