'use strict';
// Adds buttons below each chart, which save the chart as SVG, with the colours of the page, and its
// data as CSV.

(() => {
  const properties = [
    'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity',
    'font-family', 'font-size', 'font-weight', 'text-anchor',
  ];

  /** Returns a chart as text. Its elements get the styles of the page's style sheet. */
  function picture(svg) {
    const copy = svg.cloneNode(true), own = [svg, ...svg.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((element, index) => {
      const style = getComputedStyle(own[index]);
      for (const property of properties) {
        // Patterns are in the chart, but the browser returns their whole address.
        const value = style.getPropertyValue(property)
          .replace(/url\([^#]*(#[^"')]+)["']?\)/, 'url($1)');
        if (value) element.style.setProperty(property, value);
      }
    });
    copy.style.setProperty('background', getComputedStyle(svg.parentElement).backgroundColor);
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    return new XMLSerializer().serializeToString(copy);
  }

  /** Returns a table as CSV (RFC 4180), with numbers without spaces between groups of digits. */
  function data(table) {
    const field = (cell) => {
      const text = cell.textContent.trim().replace(/(\d)[ \u00a0](?=\d{3})/g, '$1');
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return [...table.rows].map((row) => `${[...row.cells].map(field).join(',')}\r\n`).join('');
  }

  function save(text, type, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  for (const figure of document.querySelectorAll('figure[id]')) {
    const [svg, table] = [figure.querySelector('svg'), figure.querySelector('table')];
    const bar = document.createElement('p');
    const add = (label, act) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', act);
      bar.append(button, ' ');
    };
    if (svg) add('Save as SVG', () => save(picture(svg), 'image/svg+xml', `${figure.id}.svg`));
    if (table) add('Save the data as CSV', () => save(data(table), 'text/csv', `${figure.id}.csv`));
    figure.append(bar);
  }
})();
