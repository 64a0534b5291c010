// The page of `secateurs compare`: its charts agree with the JSON of the same run, and it is
// legible in light and dark mode and on narrow screens.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { launch, leastContrast, open, run, scratch } from './browser.mjs';

const kinds = {
  'fire-net': ['fire-net', '--nodes', '2000'],
  'rocket-mania': ['rocket-mania', '--rounds', '1'],
  'knights-tour': ['knights-tour', '--sizes', '5..=9', '--rounds', '1'],
};
const pages = {};
let browser, files;

before(async () => {
  files = scratch();
  for (const [kind, options] of Object.entries(kinds)) {
    const [html, json] = [files.file(`${kind}.html`), files.file(`${kind}.json`)];
    run('compare', ...options, '--html', html, '--json', json);
    pages[kind] = { html, json: JSON.parse(readFileSync(json, 'utf8')) };
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  files?.drop();
});

/** Returns the rectangles, circles and texts of a chart, in order. */
function drawn(page, id) {
  return page.locator(`#${id} svg`).evaluate((svg) => {
    const number = (element, ...names) => names.map((name) => Number(element.getAttribute(name)));
    const all = (name) => [...svg.querySelectorAll(name)];
    return {
      rects: all('rect').map((rect) => {
        const [x, y, width, height] = number(rect, 'x', 'y', 'width', 'height');
        const fill = rect.getAttribute('fill'), paint = getComputedStyle(rect).fill;
        return { x, y, width, height, fill, paint };
      }),
      circles: all('circle').map((circle) => {
        const [x, y] = number(circle, 'cx', 'cy');
        return { x, y };
      }),
      texts: all('text').map((text) => text.textContent.trim()),
    };
  });
}

/** Returns the rows of the data table of a chart. */
function dataRows(page, id) {
  return page.locator(`#${id} details tbody tr`).evaluateAll((rows) => (
    rows.map((row) => [...row.cells].map((cell) => cell.textContent))));
}

/** Opens the data tables of all charts. */
function openTables(page) {
  return page.locator('details').evaluateAll((all) => {
    for (const details of all) details.open = true;
  });
}

/** Checks that pixels are proportional to the logarithm of numbers, within one pixel. */
function isLogarithmic(pairs) {
  const sorted = [...pairs].sort((one, other) => one[0] - other[0]);
  const [[least, from], [most, to]] = [sorted[0], sorted.at(-1)];
  assert.ok(most > least);
  for (const [number, pixel] of sorted) {
    const expected = from + ((to - from) * Math.log(number / least)) / Math.log(most / least);
    assert.ok(Math.abs(pixel - expected) <= 1.01, `${number} is at ${pixel}, expected ${expected}`);
  }
}

const whole = (text) => Number(text.replace(/[≈≥>\s]|est\./g, ''));

/** Returns whether the median size of a contender is only a lower bound. */
function medianIsBound(contender) {
  const median = (unknown) => {
    const isKnown = (run) => !run.limited || run.estimate?.reliable;
    const sizes = contender.runs.map((run) => (isKnown(run) ? run.nodes_at_least : unknown(run)));
    sizes.sort((one, other) => one - other);
    return (sizes[(sizes.length - 1) >> 1] + sizes[sizes.length >> 1]) / 2;
  };
  return median((run) => run.nodes_at_least) !== median(() => Infinity);
}

for (const kind of Object.keys(kinds)) {
  describe(kind, () => {
    let page, complaints, milliseconds, json;

    before(async () => {
      ({ page, complaints, milliseconds } = await open(browser, pages[kind].html));
      json = pages[kind].json;
    });

    test('loads without errors, and requests no other file', () => {
      assert.deepEqual(complaints, []);
      assert.ok(milliseconds < 2000, `${milliseconds} ms`);
      assert.ok(statSync(pages[kind].html).size < 1_000_000);
    });

    test('describes what was compared', async () => {
      assert.equal(await page.locator('h1').textContent(), json.title);
      const head = await page.locator('h1 + p').textContent();
      const counts = [json.contenders.length, json.instances.length];
      assert.match(head, new RegExp(`${counts[0]} contenders on ${counts[1]} instances`));
      const names = await page.locator('table').first().locator('tbody th').allTextContents();
      assert.deepEqual(names, json.contenders.map((contender) => contender.name));
    });

    test('bars have the length of the medians, and labels with the number', async () => {
      const { rects, texts } = await drawn(page, 'chart-nodes');
      assert.equal(rects.length, json.contenders.length);
      const medians = json.contenders.map((contender) => contender.sizes.median);
      if (Math.max(...medians) > Math.min(...medians)) {
        isLogarithmic(medians.map((median, index) => [median, rects[index].width]));
      }
      for (const [index, contender] of json.contenders.entries()) {
        const at = texts.indexOf(contender.name);
        assert.ok(at >= 0, contender.name);
        const label = texts[at + 1], [shown, median] = [whole(label), medians[index]];
        const isClose = Math.abs(shown / median - 1) < 0.1 || Math.abs(shown - median) <= 0.5;
        assert.ok(isClose, `${label}: ${median}`);
        // Estimates and lower bounds are marked, and are not full bars.
        const mark = medianIsBound(contender) ? '≥' : contender.estimated > 0 ? '≈' : '';
        assert.equal(label.match(/^[≈≥]?/)[0], mark, contender.name);
        assert.equal(rects[index].fill === 'none', mark !== '', contender.name);
      }
    });

    test('boxes span the lower and the upper quartile', async () => {
      const charts = [
        ['chart-nodes-over-instances', 'sizes'], ['chart-time-over-instances', 'seconds'],
      ];
      for (const [id, key] of charts) {
        const { rects } = await drawn(page, id);
        const quartiles = json.contenders.flatMap((contender, index) => {
          const { lower_quartile: lower, upper_quartile: upper } = contender[key];
          const { x, width } = rects[index];
          return width > 1 ? [[lower, x], [upper, x + width]] : [[lower, x]];
        });
        assert.equal(rects.length, json.contenders.length);
        isLogarithmic(quartiles);
      }
    });

    test('points are runs at their nodes and times', async () => {
      const { circles, texts } = await drawn(page, 'chart-time');
      const shown = json.contenders.filter((contender) => texts.includes(contender.name));
      assert.equal(shown.length, Math.min(8, json.contenders.length));
      const runs = shown.flatMap((contender) => contender.runs);
      assert.equal(circles.length, runs.length);
      isLogarithmic(runs.map((run, index) => [run.nodes, circles[index].x]));
      isLogarithmic(runs.map((run, index) => [run.seconds.median, -circles[index].y]));
    });

    test('bars of depths have the height of their nodes and cuts', async () => {
      const { rects, texts } = await drawn(page, 'chart-depths');
      const names = json.contenders.map((contender) => contender.name);
      assert.deepEqual(names.filter((name) => !texts.includes(name)), []);
      const rows = await dataRows(page, 'chart-depths');
      const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
      for (const { name, runs } of json.contenders) {
        const own = rows.filter((row) => row[0] === name);
        const kept = sum(own.map((row) => whole(row[2])));
        const cuts = sum(own.flatMap((row) => row.slice(3).map(whole)));
        assert.equal(cuts, sum(runs.map((run) => run.cuts)), name);
        const nodes = sum(runs.map((run) => run.nodes));
        const isComplete = kept > 0 && kept <= nodes && kept + cuts >= nodes;
        assert.ok(isComplete, `${name}: ${kept} + ${cuts}, ${nodes} nodes`);
        // The number at the top of a panel is that of its highest bar.
        const highest = Math.max(...own.map((row) => sum(row.slice(2).map(whole))));
        const top = texts.lastIndexOf(name) + 1;
        const isHighest = (text) => Math.abs(whole(text) - highest) <= 0.5;
        assert.ok([texts[top], texts[top + 1]].some(isHighest), `${texts[top]}: ${highest}`);
      }
      assert.ok(rects.every((rect) => rect.height > 0 && rect.width > 0));
    });

    test('each chart has its data in a table reachable by keyboard', async () => {
      const summaries = page.locator('figure details summary');
      assert.equal(await summaries.count(), 5);
      await page.locator('body').evaluate((body) => { body.tabIndex = -1; body.focus(); });
      const opened = new Set();
      for (let step = 0; step < 60 && opened.size < 5; step += 1) {
        await page.keyboard.press('Tab');
        const id = await page.evaluate(() => {
          const at = document.activeElement;
          return at?.tagName === 'SUMMARY' ? at.closest('figure')?.id ?? null : null;
        });
        if (id) {
          await page.keyboard.press('Enter');
          await page.locator(`#${id} details[open] table`).waitFor({ state: 'visible' });
          opened.add(id);
        }
      }
      assert.equal(opened.size, 5);
      const rows = await dataRows(page, 'chart-nodes');
      const names = json.contenders.map((contender) => contender.name);
      assert.deepEqual(rows.map((row) => row[0]), names);
    });

    test('is legible in light and dark mode', async () => {
      for (const dark of [false, true]) {
        const { page, complaints } = await open(browser, pages[kind].html, { dark });
        await openTables(page);
        const { ratio, text } = await leastContrast(page);
        assert.ok(ratio >= 4.5, `${text}: ${ratio}, dark: ${dark}`);
        // Colours are those of the page, not those in the SVG.
        const { rects } = await drawn(page, 'chart-nodes');
        const full = rects.find((rect) => rect.fill !== 'none');
        if (full) assert.equal(full.paint, dark ? 'rgb(124, 196, 230)' : 'rgb(47, 111, 143)');
        assert.deepEqual(complaints, []);
        await page.close();
      }
    });

    test('fits into a narrow window', async () => {
      await page.setViewportSize({ width: 360, height: 700 });
      await openTables(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${width} pixels`);
      // Wider elements can be scrolled by themselves.
      const canScroll = (own) => own.scrollWidth > own.clientWidth && own.tabIndex === 0;
      assert.ok(await page.locator('#chart-nodes .chart').evaluate(canScroll));
    });
  });
}

test('each chart is saved as a picture with its colours, and its data as CSV', async () => {
  const { page, complaints } = await open(browser, pages['knights-tour'].html, { dark: true });
  const saved = async (figure, label) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'), figure.getByText(label).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  };
  for (const figure of await page.locator('figure[id]').all()) {
    const svg = await saved(figure, 'Save as SVG');
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg, /var\(|file:/);
    const lines = (await saved(figure, 'Save the data as CSV')).trimEnd().split('\r\n');
    assert.equal(lines.length, await figure.locator('table tr').count());
    assert.ok(lines.every((line) => !/\d \d{3}/.test(line)));
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the name of a contender links to its row', async () => {
  const { page, complaints } = await open(browser, pages['fire-net'].html);
  await page.locator('table').first().locator('tbody th a').nth(2).click();
  assert.match(page.url(), /#contender-3$/);
  assert.equal(await page.locator('tr:target').count(), 1);
  assert.deepEqual(complaints, []);
  await page.close();
});
