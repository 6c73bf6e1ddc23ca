// Glacis: makes pages quicker. Everything also works without it.

/** What the page itself says, from data attributes; the script has no words of its own. */
const sheet = document.getElementById("rule-sheet");
const parser = new DOMParser();

/** Fetches a page; one that a busy server puts off is asked for again, a little later each time. */
async function whole(address) {
  let response;
  for (let turn = 1; turn <= 4; turn += 1) {
    response = await fetch(address, { headers: { accept: "text/html" } });
    if (response.status !== 503 && response.status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, 400 * turn));
  }
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
      // A part of the form that only some questions need comes and goes with them.
      const [near, asked] = [document.getElementById("near"), page.getElementById("near")];
      if (mine === turn && near && asked) near.hidden = asked.hidden;
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

