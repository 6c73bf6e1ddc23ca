// Glacis: the home page: a new game, and the games of this browser.
const fresh = document.getElementById("new-game");
const games = document.getElementById("games");

function made(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const systems = games ? JSON.parse(games.dataset.systems) : {};

/** One game of the list. */
function line(game) {
  const known = systems[game.system];
  const mine = (game.seats ?? []).filter((seat) => seat !== "spectator");
  const waits = game.deciders ?? [game.to_move];
  const yours = !game.over && mine.some((side) => waits.includes(side));
  const state = game.over ? games.dataset.over
    : yours ? games.dataset.yours
    : waits.map((side) => known?.sides[side]?.turn).filter(Boolean).join(", ");
  const orders = game.entries === 1 ? games.dataset.one : games.dataset.many.replace("987", game.entries);
  const link = made("a", { href: `/g/${game.game}` }, known?.title ?? game.system);
  const item = made("li", {}, link, " ", made("span", { className: yours ? "tag tag-ruling" : "tag" }, state), " ",
    made("span", { className: "quiet" }, `${orders} · ${game.game.slice(0, 6)}`));
  if (game.imported) item.append(" ", made("span", { className: "tag" }, games.dataset.imported));
  return [mine.length > 0 || !(game.seats ?? []).length, item];
}

async function list() {
  const response = await fetch(`/api/games?lang=${document.documentElement.lang}`);
  const all = response.ok ? await response.json() : [];
  if (!Array.isArray(all)) return;
  // What waits for a decision first, what is over last.
  all.sort((a, b) => Number(a.over) - Number(b.over));
  const lists = [document.getElementById("watched-games"), document.getElementById("my-games")];
  for (const one of lists) one.replaceChildren();
  for (const game of all) {
    const [mine, item] = line(game);
    lists[Number(mine)].append(item);
  }
  for (const one of lists) one.nextElementSibling.hidden = one.childElementCount > 0;
}
if (games) list().catch(() => {});
addEventListener("pageshow", (event) => { if (event.persisted) list().catch(() => {}); });

/** The word that makes a request this one: whoever sends it again, by a second click or because the answer was lost, gets the same game. */
const drawn = () => [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let once = drawn();
let begun = false;
const starters = fresh?.querySelectorAll(".ask-bar button") ?? [];

/** The buttons that begin a game rest while one begins, and until another one is wanted. */
function rest(resting) {
  for (const button of starters) button.disabled = resting;
}

function another() {
  if (!begun) return;
  once = drawn();
  begun = false;
  rest(false);
}
fresh?.addEventListener("input", another);
addEventListener("pageshow", (event) => { if (event.persisted) another(); });

/** The words of the system that is chosen. */
const chosen = () => systems[fresh.elements.system.value];

/** Only what belongs to the chosen system can be filled in. */
fresh?.elements.system.addEventListener("change", (event) => {
  for (const set of fresh.querySelectorAll(".of-system")) set.hidden = set.disabled = set.dataset.system !== event.target.value;
});

/** Begins a game with these seats and shows it. */
async function begin(seats, show, other = {}) {
  const form = new FormData(fresh);
  const options = {};
  for (const [name, value] of form) if (name.startsWith("options.") && value) options[name.slice(8)] = value;
  rest(true);
  try {
    const response = await fetch(`/api/games?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ system: form.get("system"), scenario: form.get("scenario"), seats, options, machine_take_backs: form.has("take-backs"), once, ...other }),
    });
    const created = await response.json();
    if (created.refused || !created.seats) throw new Error(created.refused?.message ?? response.statusText);
    begun = true;
    show(created);
  } catch (error) {
    document.getElementById("seats").replaceChildren(made("p", { className: "wrong" }, fresh.dataset.failed.replace("…", error.message)));
    rest(false);
  }
}

/** The link of a seat, to be taken or sent. */
function seatLine(seat) {
  const looksOn = seat.side === "spectator";
  const who = chosen()?.sides[seat.side]?.name ?? fresh.dataset.spectator;
  const sit = made("a", { href: seat.link, className: looksOn ? "seat-link button" : "seat-link primary button" }, (looksOn ? fresh.dataset.lookOn : fresh.dataset.sit).replace("…", who));
  sit.dataset.side = seat.side;
  const field = made("input", { readOnly: true, type: "text", value: new URL(seat.link, location.href).href });
  field.setAttribute("aria-label", who);
  field.addEventListener("focus", () => field.select());
  const copy = made("button", { type: "button" }, fresh.dataset.copy);
  copy.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    copy.textContent = fresh.dataset.copied;
  });
  return made("p", { className: "seat" }, sit, field, copy);
}

fresh?.addEventListener("submit", (event) => {
  event.preventDefault();
  const seats = {};
  for (const [name, value] of new FormData(fresh)) if (name.startsWith("seat.")) seats[name.slice(5)] = value;
  begin(seats, (created) => {
    const people = created.seats.filter((seat) => seat.side !== "spectator").length;
    const more = made("button", { type: "button", id: "another-game" }, fresh.dataset.another);
    more.addEventListener("click", () => { another(); document.getElementById("seats").replaceChildren(); starters[0].focus(); });
    const list = document.getElementById("seats");
    list.replaceChildren(made("p", { className: "says" }, people === 1 ? fresh.dataset.alone : fresh.dataset.links),
      ...created.seats.map(seatLine), made("p", {}, more));
    list.querySelector("a")?.focus();
  });
});

/** The first game of a newcomer: he plays the first side of a short scenario, and sits down at once. */
document.querySelector(".first-game")?.addEventListener("click", (event) => {
  const { system, scenario } = event.currentTarget.dataset;
  const sides = Object.keys(systems[system].sides);
  begin(Object.fromEntries(sides.map((side, place) => [side, place ? "sensible" : "human"])), (created) => {
    const own = created.seats.find((seat) => seat.side === sides[0]);
    if (own) location.assign(own.link);
  }, { system, scenario, options: {} });
});

document.getElementById("watch-machine")?.addEventListener("click", () => {
  begin(Object.fromEntries(Object.keys(chosen().sides).map((side) => [side, "sensible"])), (created) => {
    const look = created.seats.find((seat) => seat.side === "spectator");
    if (look) location.assign(look.link);
  });
});
