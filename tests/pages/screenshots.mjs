// Takes the screenshots of the README: `node tests/pages/screenshots.mjs docs`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, run, scratch } from './browser.mjs';

const directory = process.argv[2] ?? '.';
mkdirSync(directory, { recursive: true });
const browser = await launch(), files = scratch();

async function shoot(name, example, options, prepare, shown, dark = false) {
  run(example, ...options, '--html', files.file(`${name}.html`));
  const { page } = await open(browser, files.file(`${name}.html`), { dark });
  await prepare(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(directory, `${name}.png`), clip: await shown(page), fullPage: true });
}

// The chart of nodes, and the page down to the outline with its details.
const chart = (page) => page.locator('svg').first().boundingBox();
const halves = async (page) => {
  const { y, height } = await page.locator('.halves').boundingBox();
  return { x: 0, y: 0, width: 1280, height: y + height + 16 };
};
await shoot('nodes', 'compare', [], async () => {}, chart);
await shoot('nodes-dark', 'compare', [], async () => {}, chart, true);
await shoot('tree', 'tree', ['queens', '8', '--mirror'], async (page) => {
  await page.waitForSelector('body[data-ready]');
  const items = page.locator('#tree [role=treeitem]');
  for (let depth = 0; depth < 7; depth += 1) {
    await items.nth(depth).click();
    await page.keyboard.press('ArrowRight');
  }
}, halves);
await shoot('contour', 'tree', ['hamiltonian-cycles', '8', '8'], async (page) => {
  await page.waitForSelector('body[data-ready]');
  await page.locator('#states [role=option]').nth(4).click();
}, halves);
await browser.close();
files.drop();
