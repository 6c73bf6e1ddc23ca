// Glacis: the home page: a new game, and the games of this browser.
const fresh = document.getElementById("new-game");
const games = document.getElementById("games");

function made(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** One game of the list. */
function line(game) {
  const mine = (game.seats ?? []).filter((seat) => seat !== "spectator");
  const state = game.over ? games.dataset.over
    : mine.includes(game.to_move) ? games.dataset.yours
    : games.dataset[game.to_move] ?? "";
  const orders = game.entries === 1 ? games.dataset.one : games.dataset.many.replace("987", game.entries);
  const link = made("a", { href: `/g/${game.game}` }, games.dataset[game.system] ?? game.system);
  const item = made("li", {}, link, " ", made("span", { className: mine.includes(game.to_move) && !game.over ? "tag tag-ruling" : "tag" }, state), " ",
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

async function create(form, seats) {
  const options = {};
  for (const [name, value] of form) if (name.startsWith("options.") && value) options[name.slice(8)] = value;
  const response = await fetch(`/api/games?lang=${document.documentElement.lang}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ system: form.get("system"), scenario: form.get("scenario"), seats, options, machine_take_backs: form.has("take-backs") }),
  });
  const created = await response.json();
  if (created.refused || !created.seats) throw new Error(created.refused?.message ?? response.statusText);
  return created;
}

function failed(error) {
  document.getElementById("seats").replaceChildren(made("p", { className: "wrong" }, fresh.dataset.failed.replace("…", error.message)));
}

fresh?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(fresh);
  const seats = {};
  for (const [name, value] of form) if (name.startsWith("seat.")) seats[name.slice(5)] = value;
  try {
    const created = await create(form, seats);
    const list = document.getElementById("seats");
    const people = created.seats.filter((seat) => seat.side !== "spectator").length;
    list.replaceChildren(made("p", { className: "says" }, people === 1 ? fresh.dataset.alone : fresh.dataset.links));
    for (const seat of created.seats) {
      const who = fresh.dataset[seat.side] ?? fresh.dataset.spectator;
      const sit = made("a", { href: seat.link, className: seat.side === "spectator" ? "seat-link button" : "seat-link primary button" }, (seat.side === "spectator" ? fresh.dataset.lookOn : fresh.dataset.sit).replace("…", who));
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
      list.append(made("p", { className: "seat" }, sit, field, copy));
    }
    list.querySelector("a")?.focus();
  } catch (error) { failed(error); }
});

document.getElementById("watch-machine")?.addEventListener("click", async () => {
  try {
    const created = await create(new FormData(fresh), { french: "sensible", prussian: "sensible" });
    const look = created.seats.find((seat) => seat.side === "spectator" || !fresh.dataset[seat.side]);
    if (look) location.assign(look.link);
  } catch (error) { failed(error); }
});
