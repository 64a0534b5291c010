// Takes the moving picture of the README, prunings of fire-net that are switched on one by one:
// `node tests/pages/film.mjs docs/lab.png`.
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from './pictures.mjs';
import { launch, open, scratch, writeLab } from './browser.mjs';

/** Returns the chunks of a PNG file, as pairs of a type and data. */
function chunks(png) {
  const found = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    found.push([png.toString('latin1', at + 4, at + 8), data]);
  }
  return found;
}

/** Returns an animated PNG file of pictures of equal size, each shown for so many milliseconds. */
function animated(pictures, milliseconds) {
  const parts = [pictures[0].subarray(0, 8)];
  let sequence = 0;
  const number = (value, bytes = 4) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const add = (type, ...data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
    parts.push(number(body.length - 4), body, number(crc32(body)));
  };
  pictures.forEach((picture, index) => {
    const all = chunks(picture), header = all.find(([type]) => type === 'IHDR')[1];
    if (!index) {
      add('IHDR', header);
      add('acTL', number(pictures.length), number(0));
    }
    // Its size, its place, its duration; nothing is disposed of or blended.
    add('fcTL', number(sequence++), header.subarray(0, 8), number(0), number(0),
      number(milliseconds[index], 2), number(1000, 2), number(0, 2));
    for (const [, data] of all.filter(([type]) => type === 'IDAT')) {
      if (index) add('fdAT', number(sequence++), data); else add('IDAT', data);
    }
  });
  add('IEND');
  return Buffer.concat(parts);
}

const files = scratch(), browser = await launch(), frames = [], durations = [];
const fragment = '#problem=fire-net&scope=every&on=&board=..X../...../X...X/...../..X..';
const { page } = await open(browser, writeLab(files), { fragment });
// The outline and the selected node are left out.
await page.setViewportSize({ width: 1200, height: 1000 });
await page.addStyleTag({
  content: '.halves, #random, #about, #speed-label { display: none !important; } '
    + '#past h2 { margin-top: .6rem; }',
});
const clip = { x: 0, y: 0, width: 1200, height: 860 };
for (const name of [undefined, '1', '2', '3', '4', '5']) {
  if (name) {
    await page.evaluate(() => { delete document.body.dataset.stop; });
    await page.locator(`#on-${name}`).check();
  }
  await page.waitForSelector('body[data-stop]');
  await page.waitForTimeout(700);
  frames.push(await page.screenshot({ clip }));
  durations.push(name === '5' ? 4000 : 1600);
}
await browser.close();
files.drop();
writeFileSync(process.argv[2], animated(frames, durations));
console.log(`${readFileSync(process.argv[2]).length} bytes`);
