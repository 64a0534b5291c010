'use strict';
// Assembles the page of a recorded search.

(async () => {
  /** @type {(id: string) => any} */
  const element = (id) => document.getElementById(id);
  const about = JSON.parse(element('about').textContent);
  const [names, lines, edits, stepParts, shape, outcomes, steps, incomplete] = await unpack('recording');
  // Depths are stored as the levels between a node and the child of the node before it.
  const depths = Int32Array.from(shape);
  depths.forEach((up, i) => { depths[i] = (i ? depths[i - 1] : -1) + 1 - up; });
  const tree = new Tree(depths, outcomes, steps), pictures = new Pictures(lines, edits), hasMissing = new Set(incomplete);
  const allKinds = kinds(about.hooks), kindOf = byCode(allKinds), counts = new Uint32Array(kindOf.length);
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
    return tree.parent[node] < 0 ? (tree.roots > 1 ? runName(node) : 'root') : `child ${tree.place[node] + 1}`;
  };
  // Two trees are compared node by node.
  const isPair = tree.roots === 2;
  if (isPair) tree.pair((node) => label(node) || -1 - tree.place[node], (node) => kind(node).name);
  element('compared').hidden = !isPair;
  /** Describes the other run at a node where the runs differ; empty elsewhere, and below the first node that only one of them has. */
  const difference = (node) => {
    if (!isPair || !tree.isDifferent[node]) return '';
    if (tree.twin[node] >= 0) return `other run: ${kind(tree.twin[node]).name}`;
    const twinOfParent = tree.twin[tree.parent[node]];
    if (twinOfParent < 0) return '';
    return hasMissing.has(twinOfParent) ? 'not recorded in the other run' : 'only in this run';
  };
  const note = (node) => [named(tree.outcome[node], kind(node)), hasMissing.has(node) ? 'some children are missing' : '', difference(node)].filter((part) => part).join(' · ');

  const outline = new Outline(element('tree'), tree, (node) => ({ name: name(node), kind: kind(node), note: note(node) }), show, () => {
    element('hide').checked = element('differences').checked = false;
    outline.hide({ failed: false, equal: false });
  });
  const icicle = new Icicle(element('icicle'), tree, () => kindOf, (node) => outline.select(node));
  const link = (node, textContent, ariaCurrent = null) => make('button', { textContent, ariaCurrent, onclick: () => outline.select(node), data: { node } });

  /** Shows the corresponding node of the other run, with a link. */
  function showOther(twin) {
    const other = element('other');
    other.hidden = false;
    if (twin < 0) other.textContent = 'The recording of the other run has no such node.';
    else other.replaceChildren(`In the other run: ${inWords(tree.outcome[twin], kind(twin))}; subtree of ${grouped(tree.size[twin] - 1)} nodes and cuts. `, link(twin, 'Go there'));
  }

  function show(node) {
    const path = tree.path(node), state = element('state'), list = element('path');
    element('name').textContent = name(node);
    const below = tree.size[node] - 1;
    element('outcome').textContent = `${inWords(tree.outcome[node], kind(node))}${hasMissing.has(node) ? '; some of its children are missing' : ''}`;
    element('facts').textContent = `Depth ${tree.depth[node]}, index ${grouped(node)}; subtree of ${grouped(below)} nodes and cuts, with ${grouped(tree.solutions[node] - (isSolution(tree.outcome[node]) ? 1 : 0))} solutions.`;
    if (isPair) showOther(tree.twin[node]);
    list.replaceChildren();
    path.forEach((onPath, index) => {
      if (path.length > 40 && index === 10) list.append(make('li', {}, `… ${path.length - 35} steps …`));
      if (path.length <= 40 || index < 10 || index >= path.length - 25) list.append(make('li', {}, link(onPath, name(onPath), onPath === node ? 'true' : null)));
    });
    element('copy').hidden = false;
    state.replaceChildren();
    if (about.pictures) {
      // A child that was not admitted has no state, so the picture of its parent is shown.
      const hasState = isEntered(tree.outcome[node]), pictured = hasState ? path : path.slice(0, -1);
      const text = pictured.every((onPath) => edit(onPath)) ? pictures.text(pictured.map((onPath) => edit(onPath) - 1)) : null;
      if (text !== null) state.append(shown(text));
      const caption = text === null ? 'There is no picture of this state.' : hasState ? '' : 'The state of the parent, where this step was not admitted.';
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
    try { await navigator.clipboard.writeText(text); element('copy').textContent = 'Copied'; } catch { prompt('The path', text); }
    setTimeout(() => { element('copy').textContent = 'Copy the path'; }, 2000);
  });
  for (const [box, subtrees] of [['hide', 'failed'], ['differences', 'equal']]) {
    element(box).addEventListener('change', (event) => {
      outline.hide({ [subtrees]: event.target.checked });
      icicle.draw();
    });
  }
  element('zoom').addEventListener('change', (event) => icicle.zoom(event.target.checked ? outline.selected : -1));
  histogram(element('histogram'), tree, allKinds);
  if (about.improvements.length) incumbent(element('incumbent'), about.improvements, about.entered, about.allImprovements);
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
