'use strict';
// The charts of a recorded search: nodes by depth, and the best value over time.

/** Fills a table of bars: nodes by depth, stacked by kind. In deep trees, depths share rows. */
function histogram(table, tree, kinds) {
  const step = Math.max(1, Math.ceil((tree.deepest + 1) / 60));
  const length = tree.count ? Math.ceil((tree.deepest + 1) / step) : 0;
  const counts = Array.from({ length }, () => new Uint32Array(byCode(kinds).length));
  for (let i = 0; i < tree.count; i++) {
    counts[Math.floor(tree.depth[i] / step)][tree.outcome[i]] += 1;
  }
  const sums = counts.map((row) => row.reduce((sum, one) => sum + one, 0));
  const most = Math.max(...sums);
  counts.forEach((row, index) => {
    const first = index * step, last = Math.min(first + step - 1, tree.deepest);
    const textContent = step === 1 ? first : `${first}–${last}`;
    const bar = make('td', { className: 'bar' });
    for (const kind of kinds) {
      const count = countOf(kind, row);
      if (count) bar.append(part(kind, count, `width: ${100 * count / most}%`));
    }
    const sum = make('td', { textContent: grouped(sums[index]) });
    table.insertRow().append(make('th', { scope: 'row', textContent }), bar, sum);
  });
}

/**
 * Draws the best value as a step function. Values are strings, because they may have more digits
 * than a JavaScript number.
 */
function incumbent(figure, improvements, entered, all) {
  const [width, height, left, bottom] = [600, 180, 60, 30];
  // Each value is better than all before it, so the first and the last are the extremes.
  const ends = [improvements[0][1], improvements[improvements.length - 1][1]];
  const [low, high] = ends.map(Number).sort((one, other) => one - other);
  const digits = (value) => grouped(BigInt(value));
  const x = (nodes) => left + (width - left - 20) * nodes / entered;
  const share = (value) => high === low ? .5 : (Number(value) - low) / (high - low);
  const y = (value) => (height - bottom) - (height - bottom - 20) * share(value);
  const svg = (name, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const range = `from ${digits(ends[0])} to ${digits(ends[1])}`;
  picture.append(svg('title', {}, `Best value, ${range}, over ${grouped(entered)} nodes`));
  picture.append(svg('path', { class: 'axis', d: `M${left} 10V${height - bottom}H${width - 10}` }));
  let line = '';
  improvements.forEach(([nodes, value], index) => {
    line += `${index ? `H${x(nodes)}V` : `M${x(nodes)} `}${y(value)}`;
  });
  picture.append(svg('path', { class: 'line', d: `${line}H${x(entered)}` }));
  for (const [nodes, value, microseconds] of improvements) {
    const dot = svg('circle', {
      class: 'dot', cx: x(nodes), cy: y(value), r: 4, 'data-value': value,
    });
    const when = `${grouped(nodes)} nodes and ${grouped(microseconds / 1000)} ms`;
    dot.append(svg('title', {}, `${digits(value)}, after ${when}`));
    picture.append(dot);
  }
  for (const value of new Set(ends)) {
    const place = { x: left - 8, y: y(value) + 4, 'text-anchor': 'end' };
    picture.append(svg('text', place, digits(value)));
  }
  picture.append(svg('text', { x: left, y: height - 8 }, '0'));
  const end = { x: width - 10, y: height - 8, 'text-anchor': 'end' };
  picture.append(svg('text', end, `${grouped(entered)} nodes`));
  figure.append(picture);
  const list = make('p', { className: 'faint' });
  const shown = improvements.length > 8
    ? [...improvements.slice(0, 4), null, ...improvements.slice(-3)]
    : improvements;
  const inWords = ([nodes, value, microseconds]) =>
    `${digits(value)} after ${grouped(nodes)} nodes (${grouped(microseconds / 1000)} ms)`;
  list.textContent = shown.map((one) => one ? inWords(one) : '…').join(', ');
  if (all > improvements.length) {
    list.textContent += `. The chart shows ${grouped(improvements.length)} of ${grouped(all)} `
      + 'improvements, evenly from the first to the last.';
  }
  figure.append(list);
}
