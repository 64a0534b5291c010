'use strict';
// Outcomes of nodes: names, colours and counts. The codes are those of `OutcomeCode` in log.rs.

/** Formats an integer with a no-break space between groups of three digits, like the tables. */
const grouped = (number) => digits.format(number).replaceAll(',', '\u00a0');
const digits = new Intl.NumberFormat('en');

/** Returns the number after `name=` in the fragment of the address, or NaN. */
const linked = (name) => Number(new URLSearchParams(location.hash.slice(1)).get(name) ?? NaN);

const isSolution = (code) => code === 2 || code === 4;
const isEntered = (code) => code < 6 || code % 2 === 1;

/**
 * Creates an element with properties, entries of its `dataset`, and children. Buttons do not submit.
 * @type {(tag: string, properties?: any, ...children: any[]) => any}
 */
function make(tag, { data, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), tag === 'button' && { type: 'button' }, properties);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/**
 * Returns the kinds of nodes, each with its codes, name, and CSS property of the colour. `place` returns the index of the
 * colour of a hook.
 */
function kinds(hooks, place = (hook, index) => index) {
  const colours = ['--series-1', '--series-3', '--series-4', '--series-5', '--series-6', '--series-0'];
  const kinds = [
    { codes: [0], name: 'inner', plural: 'inner nodes', colour: '--inner' },
    { codes: [2, 4], name: 'solution', plural: 'solutions', colour: '--series-2' },
    { codes: [1], name: 'dead end', plural: 'dead ends', colour: '--series-7' },
    { codes: [3], name: 'unfinished', plural: 'unfinished', colour: '--ink' },
    { codes: [5], name: 'replayed', plural: 'replayed', colour: '--rule' },
  ];
  hooks.forEach((hook, index) => kinds.push({
    codes: [6 + 2 * index, 7 + 2 * index], name: `cut by ${hook}`, plural: `cut by ${hook}`, hook,
    colour: colours[place(hook, index) % colours.length], striped: place(hook, index) >= colours.length,
  }));
  return kinds;
}

/** Returns the kinds of all codes. */
function byCode(kinds) {
  const all = [];
  for (const kind of kinds) for (const code of kind.codes) all[code] = kind;
  return all;
}

const countOf = (kind, counts) => kind.codes.reduce((sum, code) => sum + (counts[code] ?? 0), 0);

/** Names an outcome; empty if the node was searched. */
const named = (code, kind) => code === 0 ? '' : isEntered(code) ? kind.name : `not admitted: ${kind.hook}`;

/** Describes the outcome of a node. */
function inWords(code, kind) {
  if (code === 4) return 'a solution; its subtree was not completely searched';
  if (code === 5) return 'entered before, and replayed to reach an unexplored part of its subtree';
  if (code >= 6) return code % 2 ? `cut off by ${kind.hook} on entering` : `not admitted by ${kind.hook}`;
  return ['searched', 'a dead end: no solution, and no child was kept', 'a solution', 'unfinished: its subtree was not completely searched'][code];
}

/**
 * Fills the legend: one button per kind, with its count. A click calls `select`, which selects the
 * next node of the kind.
 */
function legend(list, kinds, counts, select) {
  list.replaceChildren();
  for (const kind of kinds) {
    const count = countOf(kind, counts), [refused, cut] = kind.codes.map((code) => grouped(counts[code] ?? 0));
    if (!count && (kind.name === 'replayed' || kind.hook === 'off')) continue;
    const title = kind.hook ? `${refused} not admitted, ${cut} cut off on entering; select the next` : 'select the next';
    const swatch = paint(make('span', { className: 'swatch' }), kind), number = make('b', { textContent: grouped(count) });
    const properties = { title, disabled: !count, onclick: () => select(kind), data: { kind: kind.name, count } };
    list.append(make('li', {}, make('button', properties, swatch, number, ` ${count === 1 ? kind.name : kind.plural}`)));
  }
}

function paint(element, kind) {
  element.style.setProperty('--kind', `var(${kind.colour})`);
  element.classList.toggle('striped', !!kind.striped);
  return element;
}

/** Creates the part of a bar that shows the count of a kind. */
const part = (kind, count, style) => paint(make('span', { title: `${grouped(count)} ${kind.plural}`, style, data: { kind: kind.name, count } }), kind);
