// The pictures of the README and of the guide show what their commands print.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, scratch } from './browser.mjs';
import { pictures, take, textOf } from './pictures.mjs';

let browser, files;

before(async () => {
  files = scratch();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  files?.drop();
});

// Some minutes in all, so they are compared on request.
const skip = !process.env.PICTURES && 'PICTURES=1 compares the pictures';

for (const picture of pictures) {
  test(`docs/${picture.name}.png`, { skip }, async () => {
    const { text } = await take(browser, files, picture);
    const file = new URL(`../../docs/${picture.name}.png`, import.meta.url);
    const carried = textOf(readFileSync(file));
    assert.equal(carried, text, 'take it again: node tests/pages/screenshots.mjs docs');
  });
}
