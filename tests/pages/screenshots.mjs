// Takes the pictures of the README and of the guide: `node tests/pages/screenshots.mjs docs`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, scratch } from './browser.mjs';
import { pictures, take } from './pictures.mjs';

const directory = process.argv[2] ?? '.';
mkdirSync(directory, { recursive: true });
const browser = await launch(), files = scratch();
for (const picture of pictures) {
  const { name, png } = await take(browser, files, picture);
  writeFileSync(join(directory, `${name}.png`), png);
}
await browser.close();
files.drop();
