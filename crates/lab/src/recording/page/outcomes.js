'use strict';
// Outcomes of nodes: names, colours and counts. The codes are those of `OutcomeCode` in log.rs.

/** Formats an integer with a no-break space between groups of three digits, like the tables. */
const grouped = (number) => number.toLocaleString('en').replaceAll(',', '\u00a0');

/** Returns the number after `name=` in the fragment of the address, or NaN. */
const linked = (name) => Number(new URLSearchParams(location.hash.slice(1)).get(name) ?? NaN);

const isSolution = (code) => code === 2 || code === 4;

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
    const own = kind.codes.map((code) => counts[code] ?? 0), count = own.reduce((sum, one) => sum + one, 0);
    if (!count && (kind.name === 'replayed' || kind.hook === 'off')) continue;
    const item = document.createElement('li'), button = document.createElement('button');
    button.type = 'button';
    button.dataset.kind = kind.name;
    button.dataset.count = count;
    button.disabled = !count;
    button.title = kind.hook ? `${grouped(own[0])} not admitted, ${grouped(own[1])} cut off on entering; select the next` : 'select the next';
    const swatch = document.createElement('span');
    swatch.className = 'swatch';
    paint(swatch, kind);
    const number = document.createElement('b');
    number.textContent = grouped(count);
    button.append(swatch, number, ` ${count === 1 ? kind.name : kind.plural}`);
    button.addEventListener('click', () => select(kind));
    item.append(button);
    list.append(item);
  }
}

function paint(element, kind) {
  element.style.setProperty('--kind', `var(${kind.colour})`);
  element.classList.toggle('striped', !!kind.striped);
}
