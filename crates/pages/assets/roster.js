// Glacis: the army builder: sums at every change, armies kept in the browser and in files. Everything else works without it.
const parser = new DOMParser();
const form = document.getElementById("roster-form");
const keep = document.getElementById("keep");
const KEY = "glacis.armies";

/** The list as a short address: nothing that is left empty or nought. */
function address() {
  const pairs = [...new FormData(form)].filter(([, value]) => !["", "0"].includes(String(value).trim()));
  return `${form.getAttribute("action")}?${new URLSearchParams(pairs)}`;
}

let turn = 0;
let waiting = 0;

/** Asks anew and changes what has changed; the newest answer wins. */
async function ask(force) {
  if (!form.checkValidity()) {
    if (force) form.reportValidity();
    return;
  }
  const [place, mine] = [address(), ++turn];
  const answer = document.getElementById("answer");
  answer.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(place, { headers: { accept: "text/html" } });
    const page = parser.parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("answer");
    if (mine !== turn || !fresh) return;
    const other = page.getElementById("roster-form");
    if (other.dataset.kind !== form.dataset.kind) {
      // Another list: the whole form changes, the focus stays.
      const id = document.activeElement?.id;
      form.dataset.kind = other.dataset.kind;
      form.replaceChildren(...document.importNode(other, true).childNodes);
      begin();
      if (id) document.getElementById(id)?.focus({ preventScroll: true });
    } else {
      for (const one of page.querySelectorAll("[data-fresh]")) {
        document.getElementById(one.id)?.replaceChildren(...document.importNode(one, true).childNodes);
      }
    }
    answer.replaceChildren(...document.importNode(fresh, true).childNodes);
    answer.dataset.brief = fresh.dataset.brief;
    document.getElementById("paper").replaceChildren(...document.importNode(page.getElementById("paper"), true).childNodes);
    document.getElementById("request").replaceChildren(...document.importNode(page.getElementById("request"), true).childNodes);
    begin();
    history.replaceState(null, "", place);
    for (const link of document.querySelectorAll(".settings a")) {
      const to = new URL(link.href, location.href);
      to.searchParams.set("to", location.pathname + location.search);
      link.href = to.pathname + to.search;
    }
  } catch {
    if (force && mine === turn) location.assign(place);
  } finally {
    if (mine === turn) answer.removeAttribute("aria-busy");
  }
}

/** What only a script can do is shown. */
function begin() {
  for (const button of form.querySelectorAll("button[data-step]")) button.hidden = false;
  const brief = document.getElementById("brief");
  if (brief) brief.textContent = document.getElementById("answer").dataset.brief ?? "";
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(true).then(() => document.getElementById("answer").focus());
});
const changed = () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(false), 150);
};
form.addEventListener("input", changed);
document.getElementById("_name").addEventListener("input", changed);
form.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-step]");
  if (!button) return;
  const field = document.getElementById(button.dataset.for);
  const to = Number(field.value || 0) + Number(button.dataset.step) * Number(field.dataset.by);
  field.value = String(Math.min(Number(field.max), Math.max(Number(field.min), to)));
  changed();
});

// --- armies kept -----------------------------------------------------------------------------
const said = document.getElementById("keep-said");
const say = (text) => { said.textContent = text; };

function armies() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.name === "string" && typeof one.query === "string") : [];
  } catch { return []; }
}

function store(list) {
  try { localStorage.setItem(KEY, JSON.stringify(list)); } catch { /* not allowed here */ }
  show();
}

function show() {
  const list = armies();
  document.getElementById("keep-none").hidden = list.length > 0;
  document.getElementById("keep-list").replaceChildren(...list.map(({ name, query }) => {
    const [item, open, away] = ["li", "a", "button"].map((tag) => document.createElement(tag));
    open.href = `${form.getAttribute("action")}?${new URLSearchParams(query)}`;
    open.textContent = name;
    open.setAttribute("aria-label", keep.dataset.open.replace("…", name));
    away.type = "button";
    away.textContent = "✕";
    away.setAttribute("aria-label", keep.dataset.delete.replace("…", name));
    away.addEventListener("click", () => {
      store(armies().filter((one) => one.name !== name));
      say(keep.dataset.deleted);
      document.getElementById("keep-save").focus();
    });
    item.append(open, away);
    return item;
  }));
}

const called = () => document.getElementById("_name").value.trim() || keep.dataset.unnamed;

/** The question of the page as it is sent: a file is this and its name. */
const request = () => JSON.parse(document.getElementById("request").textContent);

/** A request as an address, the way the pages write it. */
function pairs(value, path = "") {
  if (value === null) return [];
  if (typeof value !== "object") return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => pairs(inner, path ? `${path}.${name}` : name));
}

document.getElementById("keep-save").addEventListener("click", () => {
  const name = called();
  const query = address().split("?")[1];
  store([...armies().filter((one) => one.name !== name), { name, query }].sort((one, other) => one.name.localeCompare(other.name)));
  say(keep.dataset.kept);
});
document.getElementById("keep-export").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = `data:application/json;charset=utf-8,${encodeURIComponent(`${JSON.stringify(request())}\n`)}`;
  link.download = `${called().replace(/[^\p{L}\p{N} _-]/gu, "_")}.json`;
  link.click();
});
document.getElementById("keep-import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    const read = JSON.parse(await file.text());
    if (typeof read?.army !== "string" || typeof read.lines !== "object") throw new Error("no army");
    const query = new URLSearchParams([...pairs(read), ["_name", file.name.replace(/\.json$/i, "")]]);
    location.assign(`${form.getAttribute("action")}?${query}`);
  } catch {
    event.target.value = "";
    say(keep.dataset.bad);
  }
});
document.getElementById("keep-copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(new URL(address(), location.href).href);
    say(keep.dataset.copied);
  } catch { location.assign(address()); }
});
document.getElementById("keep-print").addEventListener("click", () => print());

keep.hidden = false;
begin();
show();
