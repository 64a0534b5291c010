// Takes the screenshots of the README: `node tests/pages/screenshots.mjs docs`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, run, scratch } from './browser.mjs';

const directory = process.argv[2] ?? '.';
mkdirSync(directory, { recursive: true });
const browser = await launch(), files = scratch();

async function shoot(name, example, options, prepare, below) {
  run(example, ...options, '--html', files.file(`${name}.html`));
  const { page } = await open(browser, files.file(`${name}.html`));
  await prepare(page);
  await page.mouse.move(0, 0);
  const { y, height } = await below(page).boundingBox();
  await page.screenshot({ path: join(directory, `${name}.png`), clip: { x: 0, y: 0, width: 1280, height: y + height + 16 }, fullPage: true });
}

const halves = (page) => page.locator('.halves');
await shoot('compare', 'compare', ['--rounds', '5'], async () => {}, (page) => page.locator('svg').nth(1));
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
