'use strict';
// Assembles the page of a recorded sweep: layers as bars, the counts and sampled states of the
// selected layer, and the selected state.

/** A list box with one selected option, for mouse and keyboard. */
class ListBox {
  /** @param onSelect is called with the index of the selected option */
  constructor(element, onSelect) {
    Object.assign(this, { element, onSelect, options: [], index: -1 });
    element.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) this.select(this.options.indexOf(option));
    });
    element.addEventListener('keydown', (event) => {
      const last = this.options.length - 1;
      const to = { ArrowRight: this.index + 1, ArrowDown: this.index + 1, ArrowLeft: this.index - 1, ArrowUp: this.index - 1, Home: 0, End: last, PageDown: this.index + 10, PageUp: this.index - 10 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.select(Math.min(Math.max(to, 0), last));
    });
  }

  fill(options) {
    this.options = options;
    this.index = -1;
    options.forEach((option, index) => {
      option.id = `${this.element.id}-${index}`;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
    });
    this.element.removeAttribute('aria-activedescendant');
    this.element.replaceChildren(...options);
  }

  select(index) {
    if (!this.options[index]) return;
    this.options[this.index]?.setAttribute('aria-selected', 'false');
    this.index = index;
    const option = this.options[index];
    option.setAttribute('aria-selected', 'true');
    this.element.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.onSelect(index);
  }
}

(async () => {
  const element = (id) => document.getElementById(id);
  const about = JSON.parse(element('about').textContent);
  const [labelBytes, lines, edits, stateEdits] = await unpack('recording');
  const labels = texts(labelBytes), pictures = new Pictures(lines, edits);
  const edit = about.pictures ? numbers(stateEdits, labels.length) : [];
  const starts = [0];
  for (const layer of about.layers) starts.push(starts[starts.length - 1] + layer.kept);
  const remaining = { codes: [0], name: 'state left', plural: 'states left', colour: '--accent' };
  // The first five kinds are those of nodes of a search.
  const hooks = kinds(about.hooks).slice(5);

  const counts = [about.layers.reduce((sum, layer) => sum + layer.states, 0)];
  about.hooks.forEach((_, hook) => [0, 1].forEach((part) => {
    counts[6 + 2 * hook + part] = about.layers.reduce((sum, layer) => sum + layer.cuts[hook][part], 0);
  }));
  legend(element('legend'), [remaining, ...hooks.filter((kind) => kind.hook !== 'off')], counts, (kind) => {
    const countIn = (layer) => kind === remaining ? layer.states : layer.cuts[(kind.codes[0] - 6) / 2].reduce((sum, one) => sum + one, 0);
    const largest = about.layers.reduce((best, layer, index) => countIn(layer) > countIn(about.layers[best]) ? index : best, 0);
    layers.select(largest);
    layers.element.focus();
  });
  for (const button of element('legend').querySelectorAll('button')) button.title += ': the layer with the most';

  const dropped = (layer, hook) => layer.cuts[hook][0] + layer.cuts[hook][1];
  const height = (layer) => layer.states + layer.cuts.reduce((sum, _, hook) => sum + dropped(layer, hook), 0);
  const most = about.layers.reduce((most, layer) => Math.max(most, height(layer)), 1);

  function bar(layer, cells) {
    const option = document.createElement('div');
    option.setAttribute('aria-label', `After ${cells} cells: ${grouped(layer.states)} states`);
    option.title = option.getAttribute('aria-label');
    const part = (count, kind) => {
      if (!count) return;
      const piece = document.createElement('span');
      piece.style.height = `max(1px, ${100 * count / most}%)`;
      piece.dataset.kind = kind.name;
      piece.dataset.count = count;
      paint(piece, kind);
      option.prepend(piece);
    };
    part(layer.states, remaining);
    hooks.forEach((kind, hook) => part(dropped(layer, hook), kind));
    return option;
  }

  const states = new ListBox(element('states'), show);
  const layers = new ListBox(element('layers'), (cells) => {
    const layer = about.layers[cells], kept = layer.kept;
    element('name').textContent = cells ? `After cell ${cells} of ${about.layers.length - 1}` : 'Before the first cell';
    element('facts').textContent = cells
      ? `${grouped(layer.transitions)} transitions lead here, ${grouped(layer.merged)} of them to a state that the layer already contained. ${grouped(layer.states)} ${layer.states === 1 ? 'state remains' : 'states remain'}.`
      : 'The state from which the sweep starts.';
    const table = element('cuts');
    table.replaceChildren();
    about.hooks.forEach((hook, index) => {
      if (hook === 'off' || !dropped(layer, index)) return;
      const row = table.insertRow();
      row.insertCell().textContent = hook;
      row.insertCell().textContent = `${grouped(layer.cuts[index][0])} on transitions`;
      row.insertCell().textContent = `${grouped(layer.cuts[index][1])} of the complete layer`;
    });
    element('sampled').textContent = kept < layer.states ? `${grouped(kept)} of ${grouped(layer.states)}, sampled by their hashes` : kept ? 'All states' : 'No state was sampled';
    states.fill(labels.slice(starts[cells], starts[cells + 1]).map((label, index) => {
      const option = document.createElement('div');
      option.textContent = label || 'empty';
      option.dataset.state = index;
      return option;
    }));
    document.body.dataset.layer = cells;
    element('state').replaceChildren();
    element('code').textContent = 'No state is selected';
    states.select(0);
  });

  function show(index) {
    const cells = layers.index, at = starts[cells] + index;
    element('code').textContent = labels[at] || 'empty';
    element('state').replaceChildren();
    if (about.pictures) {
      // The picture of the first state of a layer is an edit of that of the previous layer. The
      // others are edits of the first.
      const path = [];
      for (let layer = 0; layer <= cells; layer++) if (about.layers[layer].kept) path.push(starts[layer]);
      if (index > 0) path.push(at);
      const isDrawn = path.every((state) => edit[state]);
      if (isDrawn) element('state').append(shown(pictures.text(path.map((state) => edit[state] - 1))));
      else element('state').textContent = 'There is no picture of this state.';
    }
    document.body.dataset.state = index;
    if (document.body.dataset.ready) history.replaceState(null, '', `#layer=${cells}&state=${index}`);
  }

  layers.fill(about.layers.map(bar));
  const largest = about.layers.reduce((best, layer, cells) => layer.states > about.layers[best].states ? cells : best, 0);
  layers.select(largest);
  const follow = () => {
    const [cells, index] = [linked('layer'), linked('state')];
    if (cells !== layers.index) layers.select(cells);
    if (cells === layers.index) states.select(index);
  };
  follow();
  addEventListener('hashchange', follow);
  document.body.dataset.ready = 'true';
})();
