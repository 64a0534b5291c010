// Takes the pictures of the pages that the README shows: `node tests/pages/screenshots.mjs DIRECTORY`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, run, scratch } from './browser.mjs';

const directory = process.argv[2] ?? '.';
mkdirSync(directory, { recursive: true });
const browser = await launch(), files = scratch();
for (const [name, options, prepare] of [
  ['tree', ['fire-net'], (page) => page.locator('#tree [role=treeitem]').nth(6).click()],
  ['contour', ['rocket-mania', '--prunings', '1-3'], (page) => page.locator('#states [role=option]').nth(4).click()],
]) {
  run('tree', ...options, '--html', files.file(`${name}.html`));
  const { page } = await open(browser, files.file(`${name}.html`));
  await page.waitForSelector('body[data-ready]');
  await prepare(page);
  await page.mouse.move(0, 0);
  const { y, height } = await page.locator('.halves').boundingBox();
  await page.screenshot({ path: join(directory, `${name}.png`), clip: { x: 0, y: 0, width: 1280, height: y + height + 16 }, fullPage: true });
}
await browser.close();
files.drop();
