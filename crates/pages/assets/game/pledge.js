/** Puts a seed of this browser into the dice, once for each seat it holds, before the first die. The seed
 *  is kept here too, so that its player can find its hash in the record. */
async function pledge(root) {
  for (const side of (root.dataset.pledge ?? "").split(" ").filter(Boolean)) {
    const seed = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const response = await fetch(`${root.dataset.api}/pledge`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seed, side }),
    }).catch(() => null);
    if (response?.ok) try { localStorage.setItem(`glacis-seed-${root.dataset.game}-${side}`, seed); } catch { /* A browser that keeps nothing. */ }
  }
}

