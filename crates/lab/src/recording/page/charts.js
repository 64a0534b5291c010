'use strict';
// The charts of a recorded search: nodes by depth, and the best value over time.

/** Fills a table of bars: nodes by depth, stacked by kind. In deep trees, depths share rows. */
function histogram(table, tree, kinds) {
  const step = Math.max(1, Math.ceil((tree.deepest + 1) / 60)), rows = Math.ceil((tree.deepest + 1) / step);
  const counts = Array.from({ length: tree.count ? rows : 0 }, () => new Uint32Array(byCode(kinds).length));
  for (let i = 0; i < tree.count; i++) counts[Math.floor(tree.depth[i] / step)][tree.outcome[i]] += 1;
  const sums = counts.map((row) => row.reduce((sum, one) => sum + one, 0)), most = Math.max(...sums);
  counts.forEach((row, index) => {
    const last = Math.min((index + 1) * step - 1, tree.deepest), textContent = step === 1 ? index : `${index * step}–${last}`;
    const bar = make('td', { className: 'bar' });
    for (const kind of kinds) {
      const count = countOf(kind, row);
      if (count) bar.append(part(kind, count, `width: ${100 * count / most}%`));
    }
    table.insertRow().append(make('th', { scope: 'row', textContent }), bar, make('td', { textContent: grouped(sums[index]) }));
  });
}

/**
 * Draws the best value as a step function. Values are strings, because they may have more digits
 * than a JavaScript number.
 */
function incumbent(figure, improvements, entered, all) {
  const [width, height, left, bottom] = [600, 180, 60, 30];
  const values = improvements.map(([, value]) => Number(value));
  // Each value is better than all before it, so the first and the last are the extremes.
  const low = Math.min(values[0], values[values.length - 1]), high = Math.max(values[0], values[values.length - 1]);
  const digits = (value) => grouped(BigInt(value));
  const x = (nodes) => left + (width - left - 20) * nodes / entered;
  const y = (value) => (height - bottom) - (height - bottom - 20) * (high === low ? .5 : (value - low) / (high - low));
  const svg = (name, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const ends = [improvements[0][1], improvements[improvements.length - 1][1]];
  picture.append(svg('title', {}, `Best value, from ${digits(ends[0])} to ${digits(ends[1])}, over ${grouped(entered)} nodes`));
  picture.append(svg('path', { class: 'axis', d: `M${left} 10V${height - bottom}H${width - 10}` }));
  let line = '';
  improvements.forEach(([nodes, value], index) => { line += `${index ? `H${x(nodes)}V` : `M${x(nodes)} `}${y(Number(value))}`; });
  picture.append(svg('path', { class: 'line', d: `${line}H${x(entered)}` }));
  for (const [nodes, value, microseconds] of improvements) {
    const dot = svg('circle', { class: 'dot', cx: x(nodes), cy: y(Number(value)), r: 4, 'data-value': value });
    dot.append(svg('title', {}, `${digits(value)}, after ${grouped(nodes)} nodes and ${grouped(microseconds / 1000)} ms`));
    picture.append(dot);
  }
  for (const value of new Set(ends)) picture.append(svg('text', { x: left - 8, y: y(Number(value)) + 4, 'text-anchor': 'end' }, digits(value)));
  picture.append(svg('text', { x: left, y: height - 8 }, '0'));
  picture.append(svg('text', { x: width - 10, y: height - 8, 'text-anchor': 'end' }, `${grouped(entered)} nodes`));
  figure.append(picture);
  const list = make('p', { className: 'faint' });
  const shown = improvements.length > 8 ? [...improvements.slice(0, 4), null, ...improvements.slice(-3)] : improvements;
  list.textContent = shown.map((one) => one ? `${digits(one[1])} after ${grouped(one[0])} nodes (${grouped(one[2] / 1000)} ms)` : '…').join(', ');
  if (all > improvements.length) list.textContent += `. The chart shows ${grouped(improvements.length)} of ${grouped(all)} improvements, evenly from the first to the last.`;
  figure.append(list);
}
