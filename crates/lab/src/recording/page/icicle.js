'use strict';
// The overview of the tree (icicle plot): depth increases downwards, and each node is as wide as
// its subtree, but at least one pixel.

class Icicle {
  /**
   * @param kinds returns the kinds by code of outcome
   * @param onSelect is called with the node that is clicked
   */
  constructor(canvas, tree, kinds, onSelect) {
    this.canvas = canvas;
    this.tree = tree;
    this.kinds = kinds;
    this.root = this.selected = this.twin = -1;
    canvas.addEventListener('click', (event) => {
      const node = this.nodeAt(event.offsetX, event.offsetY);
      if (node >= 0) onSelect(node);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  /** Shows only the subtree of a node, or the whole tree if it is -1. */
  zoom(root) { this.root = root; this.draw(); }

  /** Shows another tree. */
  replace(tree, selected) {
    Object.assign(this, { tree, selected, deepestBelow: undefined });
    this.draw();
  }

  /**
   * Returns the range of drawn nodes, from `first` to before `end`, the depth at the `top`, the
   * size of the canvas, the height of a `level`, and the width of a leaf as `unit`.
   */
  frame() {
    const { tree, root } = this, isWhole = root < 0;
    const first = Math.max(0, root), end = isWhole ? tree.count : root + tree.size[root];
    if (this.deepestBelow !== root) {
      const deepest = () => tree.depth.subarray(first, end).reduce((a, b) => Math.max(a, b), 0);
      this.deepestBelow = root;
      this.deepest = isWhole ? tree.deepest : deepest();
    }
    const top = isWhole ? 0 : tree.depth[root];
    const levels = this.deepest - top + (tree.isCutShort ? 2 : 1);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const level = Math.min(24, height / levels);
    const unit = width / (isWhole ? tree.all : tree.weight[root]);
    return { first, end, top, width, height, level, unit };
  }

  draw() {
    const { tree, canvas } = this, { first, end, top, width, height, level, unit } = this.frame();
    if (!tree.count || !width) return;
    const scale = devicePixelRatio || 1, context = canvas.getContext('2d');
    canvas.width = width * scale;
    canvas.height = height * scale;
    context.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const colours = this.kinds().map(({ colour }) => style.getPropertyValue(colour));
    const gap = level > 4 ? 1 : 0;
    const columns = Math.ceil(width), rows = Math.ceil(height);
    // Nodes narrower than a pixel share it. By column and row: the code to draw plus one, or 0.
    const shared = new Uint16Array(columns * rows);
    // By column and row: the number of nodes.
    const nodesAt = new Uint32Array(columns * rows);
    let most = 2, filled = -1;
    // By column: where the levels begin that are missing in the tree.
    const missing = new Float32Array(columns);
    const isCutShort = (i) => tree.isCutShort && !tree.children[i] && tree.weight[i] > 1;
    const alpha = (i) => tree.isHidden(i) ? .15 : 1;
    const left = (i) => (tree.start[i] - tree.start[first]) * unit;
    for (let i = first; i < end; i++) {
      const x = left(i), w = tree.weight[i] * unit;
      const y = (tree.depth[i] - top) * level, code = tree.outcome[i];
      if (w >= 1) {
        if (code !== filled) context.fillStyle = colours[filled = code];
        context.globalAlpha = alpha(i);
        context.fillRect(x, y, w > 3 ? w - .5 : w, Math.max(1, level - gap));
        if (isCutShort(i)) missing.fill(y + level, Math.floor(x), Math.ceil(x + w - 1));
        continue;
      }
      const at = Math.floor(y) * columns + Math.floor(x);
      if (tree.isHidden(i)) continue;
      if (isCutShort(i)) missing[Math.floor(x)] = y + level;
      most = Math.max(most, nodesAt[at] += 1);
      // Solutions have priority over all other nodes, and leaves over inner nodes, so that they
      // stay visible.
      if (!shared[at] || shared[at] === 1 || isSolution(code)) {
        shared[at] = isSolution(shared[at] - 1) ? shared[at] : code + 1;
      }
    }
    // The more nodes share a pixel, the stronger its colour, in four steps of a logarithmic scale.
    const steps = 4 / Math.log(most);
    const shade = (at) => isSolution(shared[at] - 1)
      ? 4
      : Math.max(1, Math.ceil(steps * Math.log(nodesAt[at])));
    for (let at = 0; at < shared.length;) {
      const code = shared[at], strength = code && shade(at);
      let length = 1;
      const isSame = (at) => shared[at] === code && (!code || shade(at) === strength);
      while ((at + length) % columns && isSame(at + length)) length += 1;
      if (code) {
        context.fillStyle = colours[code - 1];
        context.globalAlpha = .25 + .75 * strength / 4;
        context.fillRect(at % columns, Math.floor(at / columns), length, Math.max(1, level - gap));
      }
      at += length;
    }
    context.fillStyle = colours[0];
    context.globalAlpha = .35;
    missing.forEach((y, column) => { if (y) context.fillRect(column, y, 1, height - y); });
    context.globalAlpha = 1;
    context.strokeStyle = style.getPropertyValue('--ink');
    context.lineWidth = 2;
    // The selected node, and dashed the corresponding one of the other run.
    const framed = [{ node: this.selected, dash: [] }, { node: this.twin, dash: [3, 2] }];
    for (const { node, dash } of framed) {
      if (node < first || node >= end) continue;
      const x = left(node), w = Math.max(4, tree.weight[node] * unit);
      const y = (tree.depth[node] - top) * level, h = Math.max(4, level);
      context.setLineDash(dash);
      context.strokeRect(Math.max(1, x - 1), Math.max(1, y - 1), w, h);
    }
  }

  /** Returns the node at a point of the canvas, or the deepest one above the point. */
  nodeAt(x, y) {
    const { tree } = this, { first, end, top, level, unit } = this.frame();
    const depth = top + Math.floor(y / level);
    // The last node that begins at the left of the point.
    let node = first, after = end;
    while (after - node > 1) {
      const middle = (node + after) >> 1;
      if (tree.start[middle] - tree.start[first] <= x / unit) node = middle; else after = middle;
    }
    while (node >= 0 && tree.depth[node] > depth) node = tree.parent[node];
    return node;
  }
}
