// The page of a recorded search: its counts are those that the command prints, and it can be used
// by mouse and keyboard.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { kinds, launch, leastContrast, open, run, scratch } from './browser.mjs';

let browser;
const files = scratch();
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); files.drop(); });

/** Writes a page and opens it. `counts` has the counts that the command printed, by kind. */
async function watch(name, options, settings) {
  const path = files.file(`${name}.html`);
  const printed = run('tree', ...options, '--html', path);
  const lines = [...printed.matchAll(/^ *(\d+) {2}(.+?)(?: \(.*\))?$/gm)];
  const counts = Object.fromEntries(lines.map(([, count, kind]) => [kind, Number(count)]));
  const opened = await open(browser, path, settings);
  await opened.page.waitForSelector('body[data-ready]');
  return { ...opened, path, printed, counts };
}

const rows = (page) => page.locator('#tree [role=treeitem]:visible');
const millionNodes = {
  timeout: 300_000,
  skip: !process.env.MILLION && 'MILLION=1 records a million nodes: minutes without optimisation',
};
const selected = (page) => page.locator('#tree [aria-selected=true]:visible');
const node = (page) => page.evaluate(() => Number(document.body.dataset.selected));

test('legend and histogram have the counts that the command prints', async () => {
  const searches = [
    ['fire', []],
    ['queens', ['queens', '7', '--mirror']],
    ['knight', ['knights-tour', '5', '--start', '1,1']],
    ['sudoku', ['sudoku']],
  ];
  for (const [name, options] of searches) {
    const { page, complaints, counts } = await watch(name, options);
    const legend = await kinds(page, '#legend button');
    const plural = { inner: 'inner nodes', solution: 'solutions', 'dead end': 'dead ends' };
    for (const [kind, count] of legend) {
      assert.equal(counts[plural[kind] ?? kind], count, `${name}: ${kind}`);
    }
    assert.equal(legend.length, Object.keys(counts).length, name);
    const bars = await kinds(page, '#histogram span');
    for (const [kind, count] of legend) {
      const sum = bars.filter(([own]) => own === kind).reduce((sum, [, part]) => sum + part, 0);
      assert.equal(sum, count, `${name}: ${kind} by depth`);
    }
    assert.deepEqual(complaints, [], name);
    await page.close();
  }
});

test('it folds and selects by keyboard', async () => {
  const { page, complaints } = await watch('keys', ['queens', '6']);
  await page.locator('#tree').focus();
  const press = (key) => page.keyboard.press(key);
  assert.equal(await node(page), 0);
  assert.equal(await selected(page).getAttribute('aria-level'), '1');
  await press('ArrowDown');
  assert.equal(await node(page), 1);
  await press('Home');
  assert.equal(await selected(page).getAttribute('aria-expanded'), 'true');
  const before = await rows(page).count();
  await press('ArrowLeft'); // folds
  assert.equal(await selected(page).getAttribute('aria-expanded'), 'false');
  assert.equal(await rows(page).count(), 1);
  await press('ArrowRight'); // unfolds
  assert.equal(await rows(page).count(), before);
  await press('ArrowRight'); // goes to the first child
  assert.equal(await node(page), 1);
  await press('ArrowLeft');
  await press('ArrowLeft'); // goes to the parent, as the node is folded
  assert.equal(await node(page), 0);
  await press('Enter');
  assert.equal(await rows(page).count(), 1);
  await press(' ');
  assert.equal(await rows(page).count(), before);
  await press('End');
  const last = await node(page);
  assert.ok(last > 1);
  await press('ArrowDown'); // there is nothing below
  assert.equal(await node(page), last);
  await press('PageUp');
  assert.ok(await node(page) < last);
  await press('Home');
  assert.equal(await node(page), 0);
  // The selected row is the active descendant for screen readers.
  const active = await page.locator('#tree').getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('it folds and selects by mouse', async () => {
  const { page, complaints, counts } = await watch('mouse', ['queens', '6']);
  const label = rows(page).nth(1).locator('.label');
  await label.click();
  assert.equal(await node(page), 1);
  assert.equal(await page.locator('#name').textContent(), 'column 1');
  assert.equal(await page.locator('#path button').count(), 2);
  assert.match(await page.locator('#state img').getAttribute('alt'), /1 of 6 queens/);
  const isDrawn = () => page.locator('#state img').evaluate(async (image) => {
    await image.decode();
    return image.naturalWidth > 0;
  });
  assert.ok(await isDrawn());
  const was = await rows(page).nth(1).getAttribute('aria-expanded');
  await rows(page).nth(1).locator('.twisty').click();
  assert.notEqual(await rows(page).nth(1).getAttribute('aria-expanded'), was);
  await page.locator('#path button').first().click();
  assert.equal(await node(page), 0);
  // The legend goes from solution to solution, and wraps around.
  const solutions = new Set();
  for (let i = 0; i < counts.solutions; i++) {
    await page.locator('#legend [data-kind=solution]').click();
    solutions.add(await node(page));
    assert.match(await page.locator('#outcome').textContent(), /^a solution/);
    assert.match(await page.locator('#state img').getAttribute('alt'), /6 of 6 queens/);
  }
  assert.equal(solutions.size, counts.solutions);
  await page.locator('#legend [data-kind=solution]').click();
  assert.ok(solutions.has(await node(page)));
  // The first child is at the left of the second row of the overview.
  const { height } = await page.locator('#icicle').boundingBox();
  await page.locator('#icicle').click({ position: { x: 30, y: height / 7 * 1.5 } });
  assert.equal(await node(page), 1);
  await page.locator('#zoom').check();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the address links to the selected node', async () => {
  const { page, complaints, path } = await watch('link', ['queens', '6']);
  await page.locator('#tree').focus();
  await page.keyboard.press('ArrowDown');
  assert.match(page.url(), /#node=1$/);
  await page.evaluate(() => { location.hash = '#node=9'; });
  await page.waitForFunction(() => document.body.dataset.selected === '9');
  await page.close();
  const linked = await open(browser, path, { fragment: '#node=17' });
  await linked.page.waitForSelector('body[data-ready]');
  assert.equal(await node(linked.page), 17);
  const astray = await open(browser, path, { fragment: '#node=999999' });
  await astray.page.waitForSelector('body[data-ready]');
  assert.equal(await node(astray.page), 0);
  assert.deepEqual([...complaints, ...linked.complaints, ...astray.complaints], []);
  await linked.page.close();
  await astray.page.close();
});

test('subtrees without solutions can be hidden', async () => {
  const { page, complaints, counts } = await watch('hide', ['queens', '6']);
  await page.locator('#hide').check();
  await page.locator('#tree').focus();
  await page.keyboard.press('Home');
  // Unfolds everything: the rows are exactly the nodes on the paths to solutions.
  const visited = new Set();
  for (let at = -1; at !== await node(page); await page.keyboard.press('ArrowDown')) {
    at = await node(page);
    visited.add(at);
    const isFolded = await selected(page).getAttribute('aria-expanded') === 'false';
    if (isFolded) await page.keyboard.press('ArrowRight');
  }
  assert.equal(visited.size, 1 + 6 * counts.solutions);
  // A dead end can still be reached, and is then shown.
  await page.locator('#legend [data-kind="dead end"]').click();
  assert.equal(await page.locator('#hide').isChecked(), false);
  assert.match(await page.locator('#outcome').textContent(), /^a dead end/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('subtrees with missing parts are not hidden, and have lower bounds', async () => {
  const { page, complaints } = await watch('cut', ['queens', '8', '--record-nodes', '100']);
  await page.locator('#hide').check();
  await page.locator('#tree').focus();
  await page.keyboard.press('Home');
  const root = /subtree of at least \d+ nodes and cuts, with at least 0 solutions/;
  assert.match(await page.locator('#facts').textContent(), root);
  // No solution was recorded, but four begin with a queen in column 1.
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#name').textContent(), 'column 1');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a child that was not admitted shows the state of its parent', async () => {
  const { page, counts } = await watch('admit', ['queens', '7', '--mirror']);
  assert.ok(counts['cut by mirror'] > 0);
  await page.locator('#legend [data-kind="cut by mirror"]').click();
  assert.match(await page.locator('#outcome').textContent(), /not admitted by mirror/);
  assert.match(await page.locator('#state figcaption').textContent(), /not admitted/);
  await page.close();
});

test('the best value increases in steps', async () => {
  const { page, printed } = await watch('best', []);
  const dots = page.locator('#incumbent .dot');
  const values = await dots.evaluateAll((all) => all.map((dot) => Number(dot.dataset.value)));
  assert.ok(values.every((value, index) => index === 0 || value > values[index - 1]));
  assert.equal(values.at(-1), Number(/(\d+) bunkers, proved/.exec(printed)[1]));
  await page.close();
});

test('two runs are side by side, with their differences', async () => {
  const options = ['queens', '6', '--mirror', '--beside'];
  const { page, complaints, counts } = await watch('beside', options);
  assert.equal(counts.solutions, 2 + 4);
  await page.locator('#differences').check();
  const shown = await rows(page).allTextContents();
  assert.match(shown[0], /run 1, with mirror/);
  // The first run differs in nothing but the three columns that it cuts off.
  assert.equal(shown.findIndex((row) => /run 2, without hooks/.test(row)), 4);
  for (const row of shown.slice(1, 4)) {
    assert.match(row, /not admitted: mirror · other run: inner/);
  }
  await rows(page).nth(2).click();
  assert.match(await page.locator('#other').textContent(), /^In the other run: searched/);
  await page.locator('#other button').click();
  assert.match(await page.locator('#outcome').textContent(), /^searched/);
  assert.match(await selected(page).textContent(), /column 5.*other run: cut by mirror/s);
  // A node with a hidden subtree is shown when it is selected by the address.
  await page.evaluate(() => { location.hash = '#node=1'; });
  await page.waitForFunction(() => document.body.dataset.selected === '1');
  assert.equal(await page.locator('#differences').isChecked(), false);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('an incomplete recording does not say that the other run lacks a node', async () => {
  // The first run is recorded completely, and the second one only in part.
  const options = ['queens', '6', '--mirror', '--beside', '--record-nodes', '100'];
  const { page, complaints } = await watch('incomplete', options);
  const notes = await page.evaluate(async () => {
    const found = new Set();
    for (let node = 0; node < 100; node += 1) {
      location.hash = `#node=${node}`;
      await new Promise((resolve) => {
        addEventListener('hashchange', () => setTimeout(resolve), { once: true });
      });
      found.add(document.querySelector('#tree [aria-selected=true] .remark').textContent);
    }
    return [...found];
  });
  assert.ok(notes.some((note) => /not recorded in the other run/.test(note)), notes.join('; '));
  assert.ok(!notes.some((note) => /only in this run/.test(note)), notes.join('; '));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('one run is compared with nothing', async () => {
  const { page } = await watch('single', ['queens', '6', '--mirror']);
  assert.equal(await page.locator('#compared').isVisible(), false);
  assert.equal(await page.locator('#other').isVisible(), false);
  await page.close();
});

test('it is legible in light and dark mode, and on a narrow screen', async () => {
  for (const dark of [false, true]) {
    const options = ['knights-tour', '5', '--start', '1,1'];
    const { page, complaints } = await watch(`contrast-${dark}`, options, { dark });
    const { ratio, text } = await leastContrast(page);
    assert.ok(ratio >= 4.5, `${ratio} of ${text}, ${dark ? 'dark' : 'light'}`);
    await page.setViewportSize({ width: 360, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('the page of a million nodes has less than 5 MB', millionNodes, async () => {
  const searches = [
    ['queens', ['queens', '13']],
    ['fire-net', ['fire-net', 'tests/pages/fire_net.txt', '--prunings', '1,2']],
  ];
  for (const [name, options] of searches) {
    const { page, complaints, path, printed, counts } = await watch(`million-${name}`, options);
    const recorded = Object.values(counts).reduce((sum, count) => sum + count, 0);
    assert.equal(recorded, 1_000_000);
    assert.ok(statSync(path).size < 5_000_000, `${statSync(path).size} bytes`);
    assert.match(printed, /not in the recording/);
    assert.ok(Number(await page.locator('#truncated').getAttribute('data-missing')) > 0);
    await page.close();
    // The time from opening to drawing is printed only: it depends on the machine.
    const start = performance.now();
    const again = await open(browser, path);
    await again.page.waitForSelector('body[data-ready]');
    const milliseconds = Math.round(performance.now() - start);
    console.log(`${name}: ${statSync(path).size} bytes, ready after ${milliseconds} ms`);
    await again.page.locator('#tree').focus();
    await again.page.keyboard.press('End');
    await again.page.locator('#legend [data-kind=solution]').click();
    assert.match(await again.page.locator('#outcome').textContent(), /^a solution/);
    assert.deepEqual([...complaints, ...again.complaints], []);
    await again.page.close();
  }
});
