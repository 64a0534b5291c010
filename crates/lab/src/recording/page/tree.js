'use strict';
// The tree in preorder, the set of unfolded nodes, and the mapping between rows and nodes.

class Tree {
  /**
   * @param depths the depth of each node
   * @param outcomes the code of the outcome of each node
   * @param steps the number of the step that leads to each node
   * @param before if nodes of deeper levels are missing: the numbers of all nodes, and of
   * solutions, before each node, and then before the end
   * @param incomplete the nodes of which some children are missing
   */
  constructor(depths, outcomes, steps, before = null, incomplete = []) {
    const count = this.count = depths.length;
    this.depth = depths;
    this.outcome = outcomes;
    this.step = steps;
    this.parent = new Int32Array(count);
    this.size = new Uint32Array(count).fill(1);
    /**
     * By node: its index among all nodes, the number of nodes of its subtree, and that of
     * solutions, missing ones included.
     */
    this.start = before ? before.nodes : Uint32Array.from(depths.keys());
    this.weight = this.size;
    /** The number of all nodes, missing ones included. */
    this.all = before ? before.nodes[count] : count;
    this.solutions = new Uint32Array(count);
    /** By node: whether a part of its subtree is missing or was not searched. */
    this.isPartial = Uint8Array.from(outcomes, (code) => isUnfinished(code) ? 1 : 0);
    for (const node of incomplete) this.isPartial[node] = 1;
    /** By node: its number of children, and its index among its siblings. */
    this.children = new Uint32Array(count);
    this.place = new Uint32Array(count);
    /** By node: whether it is unfolded, and the number of rows of its visible subtree. */
    this.open = new Uint8Array(count);
    this.rows = new Uint32Array(count).fill(1);
    /** Whether subtrees without solutions, or differences, are hidden. They have no rows. */
    this.hides = { failed: false, equal: false };
    this.roots = 0;
    this.deepest = 0;
    const last = [];
    for (let i = 0; i < count; i++) {
      const depth = this.depth[i];
      last[depth] = i;
      const above = this.parent[i] = depth > 0 ? last[depth - 1] : -1;
      this.place[i] = above < 0 ? this.roots++ : this.children[above]++;
      if (depth > this.deepest) this.deepest = depth;
    }
    for (let i = count - 1; i >= 0; i--) {
      this.solutions[i] += isSolution(this.outcome[i]) ? 1 : 0;
      const above = this.parent[i];
      if (above >= 0) {
        this.size[above] += this.size[i];
        this.solutions[above] += this.solutions[i];
        this.isPartial[above] |= this.isPartial[i];
      }
    }
    /** Whether nodes of deeper levels are missing. */
    this.isCutShort = false;
    if (before) {
      this.weight = this.size.map((size, i) => before.nodes[i + size] - before.nodes[i]);
      this.solutions = this.size.map((size, i) => before.solutions[i + size] - before.solutions[i]);
      this.isCutShort = this.weight.some((weight, i) => weight > 1 && !this.children[i]);
    }
  }

  /** Calls `visit` with each child, or with each root if the node is -1. */
  each(node, visit) {
    const end = node < 0 ? this.count : node + this.size[node];
    for (let child = node + 1; child < end; child += this.size[child]) visit(child);
  }

  /**
   * Finds the corresponding nodes of the two runs: those with equal keys on the paths from their
   * roots. `key` returns the key of a node, and `kind` that of its outcome.
   */
  pair(key, kind) {
    /** By node: the corresponding node of the other run, or -1. */
    this.twin = new Int32Array(this.count).fill(-1);
    /** By node: whether both runs differ there, and whether they may differ in its subtree. */
    this.isDifferent = new Uint8Array(this.count).fill(1);
    const pairs = [[0, this.size[0]]];
    while (pairs.length) {
      const [one, other] = pairs.pop(), others = new Map();
      this.twin[one] = other;
      this.twin[other] = one;
      this.isDifferent[one] = this.isDifferent[other] = kind(one) === kind(other) ? 0 : 1;
      this.each(other, (child) => { if (!others.has(key(child))) others.set(key(child), child); });
      this.each(one, (child) => {
        const match = others.get(key(child));
        if (match === undefined) return;
        pairs.push([child, match]);
        others.delete(key(child));
      });
    }
    this.hasDifference = this.isDifferent.map((is, i) =>
      is | this.isPartial[i] | (this.isPartial[this.twin[i]] ?? 0));
    for (let i = this.count - 1; i >= 0; i--) {
      if (this.parent[i] >= 0) this.hasDifference[this.parent[i]] |= this.hasDifference[i];
    }
  }

  /** Returns whether a node has no row even if all ancestors are unfolded. Roots have one. */
  isHidden(node) {
    const { failed, equal } = this.hides;
    return this.parent[node] >= 0
      && (failed && !this.solutions[node] && !this.isPartial[node]
        || equal && !this.hasDifference[node]);
  }

  /** Hides or shows subtrees: `hides` states which. */
  hide(hides) {
    Object.assign(this.hides, hides);
    const below = new Uint32Array(this.count);
    for (let i = this.count - 1; i >= 0; i--) {
      this.rows[i] = this.isHidden(i) ? 0 : this.open[i] ? 1 + below[i] : 1;
      if (this.parent[i] >= 0) below[this.parent[i]] += this.rows[i];
    }
  }

  /** Returns the number of rows. */
  total() {
    let total = 0;
    this.each(-1, (root) => { total += this.rows[root]; });
    return total;
  }

  /** Returns the number of rows that a node would have if it were unfolded. */
  unfolded(node) {
    let rows = 1;
    this.each(node, (child) => { rows += this.rows[child]; });
    return rows;
  }

  /** Adds to the rows of the unfolded ancestors. */
  grow(node, rows) {
    for (let at = this.parent[node]; at >= 0 && this.open[at]; at = this.parent[at]) {
      this.rows[at] += rows;
    }
  }

  /** Unfolds a node if `open`, and folds it otherwise. */
  fold(node, open) {
    if (!this.children[node] || !!this.open[node] === open) return;
    const before = this.rows[node];
    this.open[node] = open ? 1 : 0;
    this.rows[node] = open ? this.unfolded(node) : 1;
    this.grow(node, this.rows[node] - before);
  }

  /** Unfolds all ancestors of a node. */
  reveal(node) {
    let more = 0;
    for (let above = this.parent[node]; above >= 0; above = this.parent[above]) {
      const before = this.rows[above];
      if (this.open[above]) {
        this.rows[above] += more;
      } else {
        this.open[above] = 1;
        this.rows[above] = this.unfolded(above);
      }
      more = this.rows[above] - before;
    }
  }

  /** Returns the row of a visible node. */
  row(node) {
    let row = 0;
    for (let at = node; at >= 0; at = this.parent[at]) {
      const above = this.parent[at];
      if (above >= 0) row += 1;
      for (let sibling = above + 1; sibling < at; sibling += this.size[sibling]) {
        row += this.rows[sibling];
      }
    }
    return row;
  }

  /** Returns the node of a row. */
  at(row) {
    let node = 0;
    while (row > 0 || !this.rows[node]) {
      if (row >= this.rows[node]) {
        row -= this.rows[node];
        node += this.size[node];
      } else {
        row -= 1;
        node += 1;
      }
    }
    return node;
  }

  /** Returns the node of the next row; `count` after the last one. */
  next(node) {
    let next = node + (this.open[node] ? 1 : this.size[node]);
    while (next < this.count && !this.rows[next]) next += this.size[next];
    return next;
  }

  /** Returns the nodes from the root to this one. */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parent[at]) path.push(at);
    return path.reverse();
  }

  /** Unfolds the largest subtrees until there are about `rows` rows. */
  unfoldLargest(rows) {
    // By size, the largest last.
    const nodes = [], add = (above) => {
      this.each(above, (child) => nodes.push(child));
      nodes.sort((one, other) => this.weight[one] - this.weight[other]);
    };
    add(-1);
    let shown = this.total(), node;
    while (shown < rows && (node = nodes.pop()) !== undefined && this.size[node] > 1) {
      if (shown > 1 && shown + this.children[node] > 4 * rows) continue;
      this.fold(node, true);
      shown += this.children[node];
      add(node);
    }
  }
}
