'use strict';
// The outline of the tree. It may have a million rows, but only the visible ones have elements. It
// is an ARIA tree with one tab stop.

/** The height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 24;
/**
 * The maximal height in pixels of the list, because browsers limit it to about ten million. The
 * scroll positions of a longer list are scaled.
 */
const MAX_HEIGHT = 8_000_000;

class Outline {
  /**
   * @param describe returns the name, kind and note of a node
   * @param onSelect is called with the selected node
   * @param beforeReveal is called before a hidden node is selected
   */
  constructor(element, tree, describe, onSelect, beforeReveal) {
    this.element = element;
    this.tree = tree;
    this.describe = describe;
    this.onSelect = onSelect;
    this.beforeReveal = beforeReveal;
    this.selected = -1;
    this.inner = make('div', { role: 'presentation' });
    element.append(this.inner);
    this.pool = [];
    element.addEventListener('scroll', () => this.scheduleDraw());
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('click', (event) => this.click(event));
    element.addEventListener('dblclick', (event) => this.click(event, true));
    new ResizeObserver(() => this.scheduleDraw()).observe(element);
    this.refresh();
  }

  /** Redraws after nodes were folded or unfolded. */
  refresh() {
    this.totalRows = this.tree.total();
    this.height = Math.min(this.totalRows * ROW_HEIGHT, MAX_HEIGHT);
    this.inner.style.height = `${this.height}px`;
    this.draw();
  }

  /** Schedules a redraw, at most one per frame. */
  scheduleDraw() {
    this.scheduled ??= requestAnimationFrame(() => { this.scheduled = undefined; this.draw(); });
  }

  /** Shows another tree. */
  replace(tree, selected) {
    Object.assign(this, { tree, selected });
    this.refresh();
  }

  /** Returns the number of rows that fit into the element. */
  fitting() { return Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT)); }

  /** Whether the list would be higher than `MAX_HEIGHT`. */
  get isScaled() { return this.totalRows * ROW_HEIGHT > MAX_HEIGHT; }

  /** Returns the first visible row, with a fraction. */
  first() {
    const room = this.height - this.element.clientHeight;
    if (!this.isScaled || room <= 0) return this.element.scrollTop / ROW_HEIGHT;
    return this.element.scrollTop / room * (this.totalRows - this.fitting());
  }

  /** Scrolls until a row is visible. */
  scrollTo(row) {
    const first = this.first(), fitting = this.fitting();
    if (row >= Math.ceil(first) && row < Math.floor(first) + fitting) return;
    const top = Math.max(0, row < first ? row : row - fitting + 1);
    const room = this.height - this.element.clientHeight;
    const scaled = top / (this.totalRows - fitting) * room;
    this.element.scrollTop = this.isScaled ? scaled : top * ROW_HEIGHT;
  }

  draw() {
    const { tree } = this, first = this.first(), top = Math.floor(first);
    const rows = Math.min(this.fitting() + 2, this.totalRows - top);
    const nodes = [];
    let next = this.totalRows ? tree.at(top) : tree.count;
    for (; nodes.length < rows && next < tree.count; next = tree.next(next)) nodes.push(next);
    // The indentation that all visible rows share is omitted.
    const shallowest = nodes.reduce((least, node) => Math.min(least, tree.depth[node]), Infinity);
    const start = this.element.scrollTop - (first - top) * ROW_HEIGHT;
    const indent = Math.max(0, shallowest - 1);
    nodes.forEach((node, index) => {
      this.fill(this.pool[index] ??= this.make(), node, start + index * ROW_HEIGHT, indent);
    });
    this.pool.forEach((row, index) => { row.hidden = index >= nodes.length; });
    const active = nodes.indexOf(this.selected);
    if (active >= 0) this.element.setAttribute('aria-activedescendant', this.pool[active].id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  make() {
    const names = ['twisty', 'swatch', 'label', 'remark', 'size', 'below'];
    const parts = names.map((className) => make('span', { className }));
    parts[4].append(make('span'));
    const id = `${this.element.id}-${this.pool.length}`;
    const row = make('div', { id, role: 'treeitem' }, ...parts);
    this.inner.append(row);
    return row;
  }

  fill(row, node, top, indent) {
    const { tree } = this, [twisty, swatch, label, remark, size, below] = row.children;
    const { name, kind, note } = this.describe(node);
    const parent = tree.parent[node], weight = tree.weight[node];
    row.dataset.node = node;
    row.style.transform = `translateY(${top}px)`;
    row.style.paddingLeft = `${.25 + .9 * Math.min(tree.depth[node] - indent, 40)}rem`;
    row.setAttribute('aria-level', tree.depth[node] + 1);
    row.setAttribute('aria-posinset', tree.place[node] + 1);
    row.setAttribute('aria-setsize', parent < 0 ? tree.roots : tree.children[parent]);
    row.setAttribute('aria-selected', node === this.selected);
    if (tree.children[node]) row.setAttribute('aria-expanded', !!tree.open[node]);
    else row.removeAttribute('aria-expanded');
    twisty.textContent = !tree.children[node] ? '' : tree.open[node] ? '▾' : '▸';
    paint(swatch, kind);
    label.textContent = name;
    remark.textContent = note;
    const percent = weight > 1 ? Math.max(2, 100 * weight / tree.weight[0]) : 0;
    size.firstChild.style.width = `${percent}%`;
    below.textContent = weight > 1 ? grouped(weight - 1) : '';
  }

  /** Hides or shows subtrees, like `Tree.hide`. */
  hide(hides) {
    const { tree } = this;
    tree.hide(hides);
    let node = this.selected;
    while (node >= 0 && tree.isHidden(node)) node = tree.parent[node];
    if (node !== this.selected) this.select(node); else this.refresh();
  }

  select(node) {
    if (!(node >= 0 && node < this.tree.count)) return;
    if (this.tree.isHidden(node)) this.beforeReveal();
    this.tree.reveal(node);
    this.selected = node;
    this.refresh();
    this.scrollTo(this.tree.row(node));
    this.draw();
    this.onSelect(node);
  }

  /** Selects the next node with one of these outcomes. */
  selectNext(codes) {
    const { count, outcome } = this.tree;
    for (let i = 1, node; i <= count; i++) {
      if (!codes.includes(outcome[node = (this.selected + i + count) % count])) continue;
      this.element.focus();
      return this.select(node);
    }
  }

  fold(node, open) {
    this.tree.fold(node, open);
    this.refresh();
  }

  click(event, twice = false) {
    const row = event.target.closest('[role=treeitem]');
    if (!row) return;
    const node = Number(row.dataset.node);
    const isTwisty = !!event.target.closest('.twisty');
    if (isTwisty !== twice) this.fold(node, !this.tree.open[node]);
    this.select(node);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.tree.count) return;
    const { tree } = this, node = Math.max(0, this.selected);
    const row = tree.row(node), page = this.fitting() - 1;
    const to = (row) => this.select(tree.at(Math.min(Math.max(row, 0), this.totalRows - 1)));
    const fold = (open) => { this.fold(node, open); this.select(node); };
    const actions = {
      ArrowDown: () => to(this.selected < 0 ? 0 : row + 1),
      ArrowUp: () => to(row - 1),
      PageDown: () => to(row + page),
      PageUp: () => to(row - page),
      Home: () => to(0),
      End: () => to(this.totalRows - 1),
      ArrowRight: () => {
        if (!tree.children[node]) return;
        if (!tree.open[node]) fold(true);
        else this.select(Math.min(tree.next(node), node + tree.size[node] - 1));
      },
      ArrowLeft: () => { if (tree.open[node]) fold(false); else this.select(tree.parent[node]); },
      Enter: () => fold(!tree.open[node]),
    };
    const action = event.key === ' ' ? actions.Enter : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
