// The page of a recorded sweep: layers, their counts, and the sampled states, by mouse and
// keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kinds, launch, leastContrast, open, run, scratch } from './browser.mjs';

let browser;
const files = scratch();
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); files.drop(); });

async function watch(name, options, settings) {
  const path = files.file(`${name}.html`);
  const printed = run('tree', ...options, '--html', path);
  const lines = [...printed.matchAll(/^ *(\d+) {2}(.+)$/gm)];
  const counts = Object.fromEntries(lines.map(([, count, kind]) => [kind, Number(count)]));
  const opened = await open(browser, path, settings);
  await opened.page.waitForSelector('body[data-ready]');
  return { ...opened, printed, counts };
}

const chosen = (page, what) => page.evaluate((what) => Number(document.body.dataset[what]), what);
const drawing = async (page) =>
  decodeURIComponent(await page.locator('#state img').getAttribute('src'));

test('legend and bars have the counts that the command prints', async () => {
  const sweeps = [
    ['rocket', ['rocket-mania']],
    ['cycles', ['hamiltonian-cycles', '6']],
    ['paths', ['simple-paths', '4', '5']],
  ];
  for (const [name, options] of sweeps) {
    const { page, complaints, counts } = await watch(name, options);
    const legend = await kinds(page, '#legend button');
    assert.equal(legend.length, Object.keys(counts).length);
    const bars = await kinds(page, '#layers span');
    for (const [kind, count] of legend) {
      assert.equal(counts[kind === 'state left' ? 'states left' : kind], count, `${name}: ${kind}`);
      const sum = bars.filter(([own]) => own === kind).reduce((sum, [, part]) => sum + part, 0);
      assert.equal(sum, count, `${name}: ${kind} by layer`);
    }
    assert.deepEqual(complaints, [], name);
    await page.close();
  }
});

test('layers and states can be selected by keyboard and by mouse', async () => {
  const { page, complaints } = await watch('choose', ['hamiltonian-cycles', '6']);
  await page.locator('#layers').focus();
  const press = (key) => page.keyboard.press(key);
  await press('Home');
  assert.equal(await chosen(page, 'layer'), 0);
  assert.equal(await page.locator('#states [role=option]').count(), 1);
  await press('ArrowRight');
  assert.equal(await chosen(page, 'layer'), 1);
  await press('End');
  assert.equal(await chosen(page, 'layer'), 36);
  await press('PageUp');
  assert.equal(await chosen(page, 'layer'), 26);
  await page.locator('#layers [role=option]').nth(12).click();
  assert.equal(await chosen(page, 'layer'), 12);
  assert.equal(await page.locator('#layers [aria-selected=true]').count(), 1);
  const states = await page.locator('#states [role=option]').count();
  assert.ok(states > 2);
  await page.locator('#states').focus();
  await press('End');
  assert.equal(await chosen(page, 'state'), states - 1);
  await press('ArrowUp');
  assert.equal(await chosen(page, 'state'), states - 2);
  await page.locator('#states [role=option]').first().click();
  assert.equal(await chosen(page, 'state'), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the drawn plugs are those of the state', async () => {
  const { page } = await watch('plugs', ['hamiltonian-cycles', '6']);
  for (const layer of [1, 6, 17, 20, 30]) {
    await page.locator('#layers [role=option]').nth(layer).click();
    const states = page.locator('#states [role=option]');
    for (let index = 0; index < await states.count(); index++) {
      await states.nth(index).click();
      const code = await page.locator('#code').textContent(), svg = await drawing(page);
      const open = [...code].filter((symbol) => symbol === '(').length;
      assert.equal(svg.split('<path class="path"').length - 1, open, code); // an arc a pair
      assert.equal(svg.split('<line class="path"').length - 1, 2 * open, code); // and two plugs
      assert.ok(svg.includes(`after ${layer} of 36 cells`));
    }
  }
  await page.close();
});

test('it is legible in light and dark mode, and on a narrow screen', async () => {
  for (const dark of [false, true]) {
    const { page, complaints } = await watch(`contrast-${dark}`, ['rocket-mania'], { dark });
    const { ratio, text } = await leastContrast(page);
    assert.ok(ratio >= 4.5, `${ratio} of ${text}, ${dark ? 'dark' : 'light'}`);
    await page.setViewportSize({ width: 360, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('the address links to the selected layer and state', async () => {
  const { page, complaints } = await watch('link', ['hamiltonian-cycles', '6']);
  await page.locator('#layers').focus();
  await page.keyboard.press('Home');
  assert.match(page.url(), /#layer=0&state=0$/);
  await page.evaluate(() => { location.hash = '#layer=9&state=1'; });
  await page.waitForFunction(() => {
    const { layer, state } = document.body.dataset;
    return layer === '9' && state === '1';
  });
  await page.evaluate(() => { location.hash = '#layer=99999'; });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await chosen(page, 'layer'), 9);
  assert.deepEqual(complaints, []);
  await page.close();
});
