/** A card beside what is pointed at: what it is, what may come of it, or why not. */
class Card {
  constructor(root, board) {
    this.board = board;
    this.box = root.querySelector(`#card-${board.name}`);
  }

  /** Shows the card beside a place, on the side where it hides the fewest marks: they are compared. */
  show(at, ...content) {
    this.box.replaceChildren(...content);
    this.box.hidden = false;
    const frame = this.box.parentElement.getBoundingClientRect();
    const spot = (place) => this.board.screen(place).map((n, axis) => n - (axis ? frame.top : frame.left));
    const [x, y] = spot(at);
    const [wide, high] = [this.box.offsetWidth, this.box.offsetHeight];
    const within = (n, most) => Math.round(Math.max(Math.min(n, most - 4), 4));
    // Beside it if nothing is hidden there, else in a corner of the frame.
    const corners = [[frame.width, frame.height], [0, frame.height], [frame.width, 0], [0, 0]];
    const sides = [[x + 26, y - high / 2], [x - 26 - wide, y - high / 2], [x - wide / 2, y + 40], [x - wide / 2, y - 40 - high], ...corners]
      .map(([left, top]) => [within(left, frame.width - wide), within(top, frame.height - high)]);
    const marks = [...this.board.layer.querySelectorAll(".target, .reach")].map((mark) => spot(centre(mark)));
    const under = ([left, top]) => ([markX, markY]) => markX > left - 12 && markX < left + wide + 12 && markY > top - 12 && markY < top + high + 12;
    // What is pointed at is never hidden if it can be helped.
    const hidden = (side) => marks.filter(under(side)).length + (under(side)([x, y]) ? marks.length + 1 : 0);
    const [left, top] = sides.reduce((best, side) => (hidden(side) < hidden(best) ? side : best));
    this.box.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.box.hidden = true;
  }
}

/** Stacks that spread out when pointed at, tapped, or opened by the keyboard. */
class Stacks {
  constructor(board) {
    this.board = board;
    this.open = null;
    const svg = board.svg;
    svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch" || event.buttons) return;
      const stack = event.target.closest?.(".stack");
      clearTimeout(this.waiting);
      if (stack === this.open) return;
      if (stack && Number(stack.dataset.size) > 1) this.waiting = setTimeout(() => this.spread(stack), 140);
      else if (this.open) this.waiting = setTimeout(() => this.close(), 260);
    });
    svg.addEventListener("pointerleave", () => {
      clearTimeout(this.waiting);
      if (this.open) this.waiting = setTimeout(() => this.close(), 260);
    });
  }

  /** Spreads a stack out over its place; the last to be spread lies on top. */
  spread(stack) {
    if (this.open === stack || !stack.isConnected) return;
    this.close();
    this.open = stack;
    const pieces = [...stack.querySelectorAll(".piece")];
    const [x, y] = centre(stack);
    const size = this.board.sizes.fan;
    const per = Math.min(pieces.length, 5);
    const rows = Math.ceil(pieces.length / per);
    const [stepX, stepY] = [25 * size, 24 * size];
    const [wide, high] = [per * stepX + 4 * size, rows * stepY + 4 * size];
    const low = y - 10 * size;
    stack.homes = pieces.map((piece) => piece.getAttribute("transform"));
    pieces.forEach((piece, place) => {
      const [column, row] = [place % per, Math.floor(place / per)];
      const px = x - ((Math.min(per, pieces.length - row * per) - 1) / 2 - column) * stepX;
      const py = low - high + (row + 0.5) * stepY + size;
      piece.setAttribute("transform", `translate(${px.toFixed(1)} ${py.toFixed(1)}) scale(${size})`);
    });
    stack.prepend(
      drawn("path", { class: "fan", d: `M${x - wide / 2} ${low - high}h${wide}v${high}H${x + 6 * size}L${x} ${y}L${x - 6 * size} ${low}H${x - wide / 2}Z` }));
    stack.classList.add("spread");
    stack.parentElement.append(stack);
  }

  close() {
    const stack = this.open;
    this.open = null;
    if (!stack?.isConnected) return;
    stack.classList.remove("spread");
    stack.querySelector(".fan")?.remove();
    stack.querySelectorAll(".piece").forEach((piece, place) => piece.setAttribute("transform", stack.homes[place]));
  }
}

