// Glacis: makes pages quicker. Everything also works without it.

/** What the page itself says, from data attributes; the script has no words of its own. */
const sheet = document.getElementById("rule-sheet");
const parser = new DOMParser();

/** Fetches a page. */
async function whole(address) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  return parser.parseFromString(await response.text(), "text/html");
}

/** Fetches a page and gives back the element with this selector. */
async function part(address, selector) {
  return (await whole(address)).querySelector(selector);
}

// --- a rule's text on the spot -------------------------------------------------------------
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.rule");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    const text = await part(link.href, ".rule-text");
    if (!text) throw new Error("no text");
    const bar = document.createElement("p");
    bar.className = "sheet-bar";
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = sheet.dataset.close;
    close.addEventListener("click", () => sheet.close());
    const permanent = document.createElement("a");
    permanent.href = link.href;
    permanent.textContent = sheet.dataset.permanent;
    bar.append(close, permanent);
    sheet.replaceChildren(text, bar);
    if (!sheet.open) sheet.showModal();
  } catch {
    location.href = link.href;
  }
});
sheet?.addEventListener("click", (event) => {
  if (event.target === sheet) sheet.close();
});

// --- forms that answer while one fills them in ---------------------------------------------
/** The question in a form as a short address: nothing that is left empty. */
function question(form) {
  const pairs = [...new FormData(form)].filter(([, value]) => String(value).trim() !== "");
  return new URLSearchParams(pairs);
}

function live(form) {
  const remember = form.dataset.remember;
  const key = `glacis.${location.pathname}.${remember}`;
  let turn = 0;
  let waiting = 0;

  async function ask(force) {
    if (!form.checkValidity()) {
      if (force) form.reportValidity();
      return;
    }
    const pairs = question(form);
    const address = `${form.getAttribute("action")}?${pairs}`;
    const mine = ++turn;
    const old = document.getElementById(form.dataset.live);
    old.setAttribute("aria-busy", "true");
    try {
      const page = await whole(address);
      const answer = page.getElementById(form.dataset.live);
      const [also, more] = [document.getElementById("also"), page.getElementById("also")];
      if (mine === turn && also && more) also.replaceChildren(...document.importNode(more, true).childNodes);
      if (mine !== turn || !answer) return;
      // The live region stays, its content changes: that is what a screen reader announces.
      old.replaceChildren(...answer.childNodes);
      const brief = document.getElementById("brief");
      if (brief) brief.textContent = answer.dataset.brief ?? "";
      history.replaceState(null, "", address);
    } finally {
      if (mine === turn) old.removeAttribute("aria-busy");
    }
    if (remember) {
      const kept = [...pairs].filter(([name]) => name.startsWith(`${remember}.`));
      try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* not allowed here */ }
    }
  }

  if (remember && !location.search) {
    let kept = [];
    try { kept = JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { /* nothing kept */ }
    for (const [name, value] of kept) {
      for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === value;
        else field.value = value;
      }
    }
  }
  form.addEventListener("submit", (event) => {
    if (event.submitter?.name) return;
    event.preventDefault();
    ask(true).then(() => {
      const answer = document.getElementById(form.dataset.live);
      if (answer.getBoundingClientRect().top > innerHeight * 0.8) answer.scrollIntoView({ block: "start" });
      answer.focus({ preventScroll: true });
    });
  });
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => ask(false), 120);
  });
  for (const button of form.querySelectorAll("button[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const field = document.getElementById(button.dataset.for);
      const by = Number(field.dataset.by);
      const from = field.value === "" ? Number(field.placeholder || 0) : Number(field.value);
      const least = field.min === "" ? -Infinity : Number(field.min);
      field.value = String(Math.max(least, from + Number(button.dataset.step) * by));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  if (remember && !location.search) ask(false);
}
for (const form of document.querySelectorAll("form[data-live]")) live(form);

// --- the map of 1805: a click chooses where to start, a click on what is reached where to go ---
const explorer = document.querySelector("svg.explorer");
explorer?.addEventListener("click", (event) => {
  const form = document.querySelector("form[data-live]");
  const reached = event.target.closest(".reached")?.dataset.hex;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(explorer.getScreenCTM().inverse());
  const [size, margin] = [Number(explorer.dataset.size), Number(explorer.dataset.margin)];
  let best = [Infinity, ""];
  for (let column = 1; column <= Number(explorer.dataset.columns); column++) {
    for (let row = 1; row <= Number(explorer.dataset.rows); row++) {
      const cx = margin + size * (1.5 * (column - 1) + 1);
      const cy = margin + size * Math.sqrt(3) * (row - 0.5 + (column % 2 ? 0 : 0.5));
      const far = Math.hypot(cx - x, cy - y);
      if (far < best[0]) best = [far, `${String(column).padStart(2, "0")}${String(row).padStart(2, "0")}`];
    }
  }
  if (best[0] > size) return;
  form.elements.to.value = reached ?? "";
  if (!reached) form.elements.hex.value = best[1];
  form.dispatchEvent(new Event("input", { bubbles: true }));
});

// --- a new game -----------------------------------------------------------------------------
const mine = document.getElementById("my-games");
if (mine) {
  fetch("/api/games").then((response) => response.json()).then((games) => {
    if (!Array.isArray(games) || !games.length) return;
    const list = document.createElement("ul");
    for (const game of games) {
      const line = document.createElement("li");
      const state = game.over ? mine.dataset.over : (mine.dataset[game.to_move] ?? "");
      line.append(Object.assign(document.createElement("a"), { href: `/g/${game.game}`, textContent: `${mine.dataset.open} ${game.game}` }), ` · ${state} · ${game.entries}`);
      list.append(line);
    }
    mine.append(Object.assign(document.createElement("h3"), { textContent: mine.dataset.title }), list);
  }).catch(() => {});
}
const fresh = document.getElementById("new-game");
fresh?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(fresh);
  const [seats, options] = [{}, {}];
  for (const [name, value] of form) {
    if (name.startsWith("seat.")) seats[name.slice(5)] = value;
    else if (name.startsWith("options.") && value) options[name.slice(8)] = value;
  }
  const response = await fetch("/api/games", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ system: form.get("system"), scenario: form.get("scenario"), seats, options }),
  });
  const created = await response.json();
  const list = document.getElementById("seats");
  if (created.refused || !created.seats) {
    list.textContent = created.refused?.message ?? response.statusText;
    return;
  }
  list.replaceChildren();
  for (const seat of created.seats) {
    const link = Object.assign(document.createElement("a"), { href: seat.link, className: "seat-link", textContent: fresh.dataset[seat.side] ?? fresh.dataset.spectator });
    link.dataset.side = seat.side;
    const field = Object.assign(document.createElement("input"), { readOnly: true, value: seat.link });
    field.setAttribute("aria-label", link.textContent);
    const line = document.createElement("p");
    line.append(link, field);
    list.append(line);
  }
  list.querySelector("a")?.focus();
});
