'use strict';
// Assembles the page of a recorded search.

(async () => {
  /** @type {(id: string) => any} */
  const element = (id) => document.getElementById(id);
  const about = JSON.parse(element('about').textContent);
  const [names, lines, edits, stepParts, shape, outcomes, steps, incomplete] =
    await unpack('recording');
  // Depths are stored as the levels between a node and the child of the node before it.
  const depths = Int32Array.from(shape);
  depths.forEach((up, i) => { depths[i] = (i ? depths[i - 1] : -1) + 1 - up; });
  const tree = new Tree(depths, outcomes, steps, null, incomplete);
  const hasMissing = new Set(incomplete);
  const pictures = new Pictures(lines, edits);
  const allKinds = kinds(about.hooks), kindOf = byCode(allKinds);
  const counts = new Uint32Array(kindOf.length);
  for (const code of tree.outcome) counts[code] += 1;

  const kind = (node) => kindOf[tree.outcome[node]];
  // The numbers of the label and the edit of a node plus one, or 0.
  const label = (node) => stepParts[2 * tree.step[node]];
  const edit = (node) => stepParts[2 * tree.step[node] + 1];
  const runName = (root) => {
    const [, hooks] = about.runs.findLast(([start]) => start <= root);
    return `run ${tree.place[root] + 1}, ${hooks ? `with ${hooks}` : 'without hooks'}`;
  };
  const name = (node) => {
    if (label(node)) return names[label(node) - 1];
    if (tree.parent[node] >= 0) return `child ${tree.place[node] + 1}`;
    return tree.roots > 1 ? runName(node) : 'root';
  };
  // Two trees are compared node by node.
  const isPair = tree.roots === 2;
  if (isPair) tree.pair((node) => label(node) || -1 - tree.place[node], (node) => kind(node).name);
  element('compared').hidden = !isPair;
  /**
   * Describes the other run at a node where the runs differ; empty elsewhere, and below the first
   * node that only one of them has.
   */
  const difference = (node) => {
    if (!isPair || !tree.isDifferent[node]) return '';
    if (tree.twin[node] >= 0) return `other run: ${kind(tree.twin[node]).name}`;
    const twinOfParent = tree.twin[tree.parent[node]];
    if (twinOfParent < 0) return '';
    return hasMissing.has(twinOfParent) ? 'not recorded in the other run' : 'only in this run';
  };
  const note = (node) => joined(
    named(tree.outcome[node], kind(node)),
    hasMissing.has(node) ? 'some children are missing' : '',
    difference(node));

  const describe = (node) => ({ name: name(node), kind: kind(node), note: note(node) });
  const outline = new Outline(element('tree'), tree, describe, show, () => {
    element('hide').checked = element('differences').checked = false;
    outline.hide({ failed: false, equal: false });
  });
  const icicle = new Icicle(element('icicle'), tree, () => kindOf, (node) => outline.select(node));
  const link = (node, textContent, ariaCurrent = null) => {
    const onclick = () => outline.select(node);
    return make('button', { textContent, ariaCurrent, onclick, data: { node } });
  };

  /** Formats a number of nodes in the subtree of a node: a lower bound if a part is missing. */
  const within = (node, number) => `${tree.isPartial[node] ? 'at least ' : ''}${grouped(number)}`;

  /** Shows the corresponding node of the other run, with a link. */
  function showOther(twin) {
    const other = element('other');
    other.hidden = false;
    if (twin < 0) {
      other.textContent = 'The recording of the other run has no such node.';
      return;
    }
    const outcome = inWords(tree.outcome[twin], kind(twin));
    const below = within(twin, tree.size[twin] - 1);
    const text = `In the other run: ${outcome}; subtree of ${below} nodes and cuts. `;
    other.replaceChildren(text, link(twin, 'Go there'));
  }

  function show(node) {
    const path = tree.path(node), state = element('state'), list = element('path');
    element('name').textContent = name(node);
    const missing = hasMissing.has(node) ? '; some of its children are missing' : '';
    element('outcome').textContent = `${inWords(tree.outcome[node], kind(node))}${missing}`;
    const below = tree.size[node] - 1;
    const solutions = tree.solutions[node] - (isSolution(tree.outcome[node]) ? 1 : 0);
    element('facts').textContent = `Depth ${tree.depth[node]}, index ${grouped(node)}; subtree of `
      + `${within(node, below)} nodes and cuts, with ${within(node, solutions)} solutions.`;
    if (isPair) showOther(tree.twin[node]);
    list.replaceChildren();
    const omitted = path.length > 40 ? path.length - 35 : 0;
    path.forEach((onPath, index) => {
      if (omitted && index === 10) list.append(make('li', {}, `… ${omitted} steps …`));
      if (index >= 10 && index < 10 + omitted) return;
      const current = onPath === node ? 'true' : null;
      list.append(make('li', {}, link(onPath, name(onPath), current)));
    });
    element('copy').hidden = false;
    state.replaceChildren();
    if (about.pictures) {
      // A child that was not admitted has no state, so the picture of its parent is shown.
      const hasState = isEntered(tree.outcome[node]);
      const pictured = hasState ? path : path.slice(0, -1);
      const isDrawn = pictured.every((onPath) => edit(onPath));
      if (isDrawn) state.append(shown(pictures.text(pictured.map((onPath) => edit(onPath) - 1))));
      const whose = hasState ? '' : 'The state of the parent, where this step was not admitted.';
      const caption = isDrawn ? whose : 'There is no picture of this state.';
      if (caption) state.append(make('figcaption', {}, caption));
    }
    Object.assign(icicle, { selected: node, twin: isPair ? tree.twin[node] : -1 });
    icicle.draw();
    document.body.dataset.selected = node;
    if (document.body.dataset.ready) history.replaceState(null, '', `#node=${node}`);
  }

  legend(element('legend'), allKinds, counts, ({ codes }) => outline.selectNext(codes));
  element('copy').addEventListener('click', async () => {
    const text = tree.path(outline.selected).map(name).join(' / ');
    try {
      await navigator.clipboard.writeText(text);
      element('copy').textContent = 'Copied';
    } catch {
      prompt('The path', text);
    }
    setTimeout(() => { element('copy').textContent = 'Copy the path'; }, 2000);
  });
  for (const [box, subtrees] of [['hide', 'failed'], ['differences', 'equal']]) {
    element(box).addEventListener('change', (event) => {
      outline.hide({ [subtrees]: event.target.checked });
      icicle.draw();
    });
  }
  element('zoom').addEventListener('change', (event) => {
    icicle.zoom(event.target.checked ? outline.selected : -1);
  });
  histogram(element('histogram'), tree, allKinds);
  const { improvements, entered, allImprovements } = about;
  if (improvements.length) incumbent(element('incumbent'), improvements, entered, allImprovements);
  if (tree.count) {
    tree.unfoldLargest(60);
    outline.refresh();
    const follow = () => outline.select(linked('node'));
    outline.select(0);
    follow();
    addEventListener('hashchange', follow);
  }
  document.body.dataset.ready = 'true';
})();
