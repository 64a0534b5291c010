'use strict';
// Outcomes of nodes: names, colours and counts. The codes are those of `OutcomeCode` in log.rs.

/** Formats an integer with a no-break space between groups of three digits, like the tables. */
const grouped = (number) => digits.format(number).replaceAll(',', '\u00a0');
const digits = new Intl.NumberFormat('en');

/** Returns the number after `name=` in the fragment of the address, or NaN. */
const linked = (name) => Number(new URLSearchParams(location.hash.slice(1)).get(name) ?? NaN);

const isSolution = (code) => code === 2 || code === 4;
const isUnfinished = (code) => code >= 3 && code <= 5;
const isEntered = (code) => code < 6 || code % 2 === 1;

/**
 * Creates an element with properties, entries of its `dataset`, and children. Buttons do not
 * submit.
 * @type {(tag: string, properties?: any, ...children: any[]) => any}
 */
function make(tag, { data, ...properties } = {}, ...children) {
  const type = tag === 'button' && { type: 'button' };
  const made = Object.assign(document.createElement(tag), type, properties);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/**
 * Returns the kinds of the nodes that each hook cuts off. `place` returns the index of the colour
 * of a hook.
 */
function kindsOfHooks(hooks, place = (hook, index) => index) {
  const colours = [1, 3, 4, 5, 6, 0].map((series) => `--series-${series}`);
  return hooks.map((hook, index) => {
    const codes = [6 + 2 * index, 7 + 2 * index], name = `cut by ${hook}`;
    const at = place(hook, index), colour = colours[at % colours.length];
    return { codes, name, plural: name, hook, colour, striped: at >= colours.length };
  });
}

/** Returns the kinds of nodes, each with its codes, name, and CSS property of the colour. */
function kinds(hooks, place) {
  return [
    { codes: [0], name: 'inner', plural: 'inner nodes', colour: '--inner' },
    { codes: [2, 4], name: 'solution', plural: 'solutions', colour: '--series-2' },
    { codes: [1], name: 'dead end', plural: 'dead ends', colour: '--series-7' },
    { codes: [3], name: 'unfinished', plural: 'unfinished', colour: '--ink' },
    { codes: [5], name: 'replayed', plural: 'replayed', colour: '--rule' },
    ...kindsOfHooks(hooks, place),
  ];
}

/** Returns the kinds of all codes. */
function byCode(kinds) {
  const all = [];
  for (const kind of kinds) for (const code of kind.codes) all[code] = kind;
  return all;
}

const countOf = (kind, counts) => kind.codes.reduce((sum, code) => sum + (counts[code] ?? 0), 0);

/** Joins the texts that are not empty. */
const joined = (...texts) => texts.filter((text) => text).join(' · ');

/** Names an outcome; empty if the node was searched. */
function named(code, kind) {
  if (!isEntered(code)) return `not admitted: ${kind.hook}`;
  return code === 0 ? '' : kind.name;
}

/** Describes the outcome of a node. */
function inWords(code, kind) {
  if (!isEntered(code)) return `not admitted by ${kind.hook}`;
  if (code >= 6) return `cut off by ${kind.hook} on entering`;
  return [
    'searched',
    'a dead end: no solution, and no child was kept',
    'a solution',
    'unfinished: its subtree was not completely searched',
    'a solution; its subtree was not completely searched',
    'entered before, and replayed to reach an unexplored part of its subtree',
  ][code];
}

/**
 * Fills the legend: one button per kind, with its count. A click calls `select`, which selects the
 * next node of the kind.
 */
function legend(list, kinds, counts, select) {
  list.replaceChildren();
  for (const kind of kinds) {
    const count = countOf(kind, counts);
    const [refused, cut] = kind.codes.map((code) => grouped(counts[code] ?? 0));
    if (!count && (kind.name === 'replayed' || kind.hook === 'off')) continue;
    const cuts = kind.hook ? `${refused} not admitted, ${cut} cut off on entering; ` : '';
    const title = `${cuts}select the next`, data = { kind: kind.name, count };
    const button = make('button', { title, disabled: !count, onclick: () => select(kind), data },
      paint(make('span', { className: 'swatch' }), kind),
      make('b', { textContent: grouped(count) }),
      ` ${count === 1 ? kind.name : kind.plural}`);
    list.append(make('li', {}, button));
  }
}

function paint(element, kind) {
  element.style.setProperty('--kind', `var(${kind.colour})`);
  element.classList.toggle('striped', !!kind.striped);
  return element;
}

/** Creates the part of a bar that shows the count of a kind. */
function part(kind, count, style) {
  const title = `${grouped(count)} ${kind.plural}`;
  return paint(make('span', { title, style, data: { kind: kind.name, count } }), kind);
}
