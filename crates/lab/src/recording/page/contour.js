'use strict';
// Assembles the page of a recorded sweep.

(async () => {
  const about = JSON.parse(document.getElementById('about').textContent);
  const [labels, lines, edits, edit] = await unpack('recording');
  const pictures = new Pictures(lines, edits);
  const starts = [0];
  for (const layer of about.layers) starts.push(starts[starts.length - 1] + layer.kept);

  function show(cells, index) {
    const at = starts[cells] + index, state = document.getElementById('state');
    state.replaceChildren();
    if (about.pictures) {
      // The picture of the first state of a layer is an edit of that of the previous layer. The
      // others are edits of the first.
      const path = [];
      for (let layer = 0; layer <= cells; layer++) {
        if (about.layers[layer].kept) path.push(starts[layer]);
      }
      if (index > 0) path.push(at);
      const isDrawn = path.every((state) => edit[state]);
      if (isDrawn) state.append(shown(pictures.text(path.map((state) => edit[state] - 1))));
      else state.textContent = 'There is no picture of this state.';
    }
    document.body.dataset.state = index;
    if (document.body.dataset.ready) {
      history.replaceState(null, '', `#layer=${cells}&state=${index}`);
    }
  }

  const labelsOf = (cells) => labels.slice(starts[cells], starts[cells + 1]);
  const view = new SweepView(about.hooks, kindsOfHooks(about.hooks), labelsOf, show);
  view.fill(about.layers);
  view.layers.select(largestBy(about.layers, (layer) => layer.states));
  const follow = () => {
    const [cells, index] = [linked('layer'), linked('state')];
    if (cells !== view.layers.index) view.layers.select(cells);
    if (cells === view.layers.index) view.states.select(index);
  };
  follow();
  addEventListener('hashchange', follow);
  document.body.dataset.ready = 'true';
})();
