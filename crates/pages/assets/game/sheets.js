/** Of the page of a game: which sheet is shown, and how close. */
const Showing = (Part) => class extends Part {
  tabs() {
    for (const name of Object.keys(this.boards)) {
      this.root.querySelector(`#tab-${name}`)?.addEventListener("click", () => this.showMap(name, true));
    }
    this.root.querySelector("#both-maps")?.addEventListener("click", () => this.showMap("both"));
    for (const button of this.root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => {
        for (const board of Object.values(this.boards)) {
          if (board.svg.closest("[hidden]")) continue;
          if (button.dataset.zoom === "0") board.all(); else board.zoom(Number(button.dataset.zoom));
        }
      });
    }
    const help = this.root.querySelector("#help");
    this.root.querySelector("#help-button").addEventListener("click", () => help.showModal());
    const legend = this.root.querySelector("#legend");
    this.root.querySelector("#legend-button").addEventListener("click", () => legend.showModal());
    this.root.querySelector("#guide-again").addEventListener("click", () => { legend.close(); this.guide.skip(false); });
    const goTo = this.root.querySelector("#go-to");
    goTo.addEventListener("close", () => { if (goTo.returnValue) this.keyboard.goTo(goTo.querySelector("input").value); });
  }

  /** The map on which something can be done now comes forward. */
  firstMap() {
    const first = this.root.querySelector(".turn")?.dataset.map;
    this.showMap(first);
    this.approach(this.boards[first] ?? this.board);
  }

  /** A whole map is a stamp: it opens on what can act, large enough to be read and touched. */
  approach(board) {
    const ordered = this.choices.filter((choice) => choice.dataset.map === board.name && choice.dataset.at).map(centre);
    const laid = this.choices.filter((choice) => choice.dataset.map === board.name && choice.dataset.pose).map(centre);
    const able = [...board.svg.querySelectorAll(".can")].map(centre);
    const all = [...board.svg.querySelectorAll(".piece")].map(centre);
    board.approach([laid, able, ordered, all].find((places) => places.length) ?? []);
  }

  showMap(name, alone) {
    if (!name || (!(name in this.boards) && name !== "both") || (!alone && this.both && name !== "both")) return;
    const otherwise = this.both !== (name === "both");
    this.both = name === "both";
    this.root.classList.toggle("both", this.both);
    for (const [one, board] of Object.entries(this.boards)) {
      const shown = this.both || one === name;
      const map = this.root.querySelector(`#map-${one}`);
      const opens = shown && (map.hidden || otherwise);
      map.hidden = !shown;
      this.root.querySelector(`#tab-${one}`)?.setAttribute("aria-pressed", String(!this.both && shown));
      if (opens) this.approach(board);
      // The ground of a sheet and the names of its places are fetched when it is first seen.
      if (shown) board.names();
      const ground = board.svg.querySelector("image[data-href]");
      if (shown && ground) {
        ground.setAttribute("href", ground.dataset.href);
        delete ground.dataset.href;
      }
    }
    this.root.querySelector("#both-maps")?.setAttribute("aria-pressed", String(this.both));
    this.hideCards();
  }
};
