'use strict';
// The view of a sweep: layers as bars, the counts and sampled states of the selected layer, and
// the selected state.

/** A list box with one selected option, for mouse and keyboard. */
class ListBox {
  /** @param onSelect is called with the index of the selected option */
  constructor(element, onSelect) {
    this.element = element;
    this.onSelect = onSelect;
    this.options = [];
    this.index = -1;
    element.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) this.select(this.options.indexOf(option));
    });
    element.addEventListener('keydown', (event) => {
      const at = this.index, last = this.options.length - 1;
      const to = {
        ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
        PageDown: at + 10, PageUp: at - 10, Home: 0, End: last,
      }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.select(Math.min(Math.max(to, 0), last));
    });
  }

  fill(options) {
    this.options = options;
    this.index = -1;
    options.forEach((option, index) => {
      const id = `${this.element.id}-${index}`;
      Object.assign(option, { id, role: 'option', ariaSelected: 'false' });
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

/**
 * The layers of a sweep. The page has elements for the list of layers, and for the selected layer
 * and state.
 */
class SweepView {
  /**
   * @param hooks the names of the hooks
   * @param kindsOfHooks the kinds of the states that they drop
   * @param labels returns the texts of the sampled states of a layer
   * @param onSelect is called with the layer and the index of the selected state
   */
  constructor(hooks, kindsOfHooks, labels, onSelect) {
    /** @type {(id: string) => any} */
    const element = (id) => document.getElementById(id);
    this.hooks = hooks;
    this.kindsOfHooks = kindsOfHooks;
    this.labels = labels;
    this.element = element;
    this.all = [];
    this.states = new ListBox(element('states'), (index) => {
      const cells = this.layers.index;
      element('code').textContent = labels(cells)[index] || 'empty';
      onSelect(cells, index);
    });
    this.layers = new ListBox(element('layers'), (cells) => this.showLayer(cells));
  }

  dropped(layer, hook) { return layer.cuts[hook][0] + layer.cuts[hook][1]; }

  /** Shows these layers, with bars relative to the largest of `scale`. */
  fill(all, scale = all) {
    this.all = all;
    const height = (layer) =>
      layer.cuts.reduce((sum, _, hook) => sum + this.dropped(layer, hook), layer.states);
    const most = scale.reduce((most, layer) => Math.max(most, height(layer)), 1);
    this.layers.fill(all.map((layer, cells) => this.bar(layer, cells, most)));
    const counts = [all.reduce((sum, layer) => sum + layer.states, 0)];
    this.hooks.forEach((_, hook) => [0, 1].forEach((part) => {
      counts[6 + 2 * hook + part] = all.reduce((sum, layer) => sum + layer.cuts[hook][part], 0);
    }));
    const list = this.element('legend');
    const countIn = (kind, layer) =>
      kind === remaining ? layer.states : this.dropped(layer, (kind.codes[0] - 6) / 2);
    const inUse = this.kindsOfHooks.filter((kind) => kind.hook !== 'off');
    legend(list, [remaining, ...inUse], counts, (kind) => {
      this.layers.select(largestBy(all, (layer) => countIn(kind, layer)));
      this.layers.element.focus();
    });
    for (const button of list.querySelectorAll('button')) {
      button.title += ': the layer with the most';
    }
  }

  bar(layer, cells, most) {
    const title = `After ${cells} cells: ${grouped(layer.states)} states`;
    const option = make('div', { title, ariaLabel: title });
    const add = (kind, count) => {
      const height = `height: max(1px, ${100 * count / most}%)`;
      if (count) option.prepend(part(kind, count, height));
    };
    add(remaining, layer.states);
    this.kindsOfHooks.forEach((kind, hook) => add(kind, this.dropped(layer, hook)));
    return option;
  }

  showLayer(cells) {
    const { element } = this, layer = this.all[cells], labels = this.labels(cells);
    const kept = labels.length, after = `After cell ${cells} of ${this.all.length - 1}`;
    element('name').textContent = cells ? after : 'Before the first cell';
    const remain = layer.states === 1 ? 'state remains' : 'states remain';
    element('facts').textContent = cells
      ? `${grouped(layer.transitions)} transitions lead here, ${grouped(layer.merged)} of them to `
        + `a state that the layer already contained. ${grouped(layer.states)} ${remain}.`
      : 'The state from which the sweep starts.';
    const table = element('cuts');
    table.replaceChildren();
    this.hooks.forEach((hook, index) => {
      if (hook === 'off' || !this.dropped(layer, index)) return;
      const [refused, cut] = layer.cuts[index].map(grouped);
      const texts = [hook, `${refused} on transitions`, `${cut} of the complete layer`];
      table.insertRow().append(...texts.map((text) => make('td', {}, text)));
    });
    const sample = `${grouped(kept)} of ${grouped(layer.states)}, sampled by their hashes`;
    const all = kept ? 'All states' : 'No state was sampled';
    element('sampled').textContent = kept < layer.states ? sample : all;
    this.states.fill(labels.map((label, index) => (
      make('div', { textContent: label || 'empty', data: { state: index } }))));
    document.body.dataset.layer = cells;
    element('state').replaceChildren();
    element('code').textContent = 'No state is selected';
    this.states.select(0);
  }
}

const remaining = { codes: [0], name: 'state left', plural: 'states left', colour: '--accent' };

/** Returns the index of the first layer with the largest count. */
function largestBy(layers, count) {
  const larger = (best, layer, index) => count(layer) > count(layers[best]) ? index : best;
  return layers.reduce(larger, 0);
}
