// The pictures of the README and of the guide: how each is taken, and the text that it shows, which
// its file carries.
import { open, run } from './browser.mjs';

// The chart of nodes, and the page down to the outline with its details.
const chart = (page) => page.locator('svg').first().boundingBox();
const halves = async (page) => {
  const { y, height } = await page.locator('.halves').boundingBox();
  return { x: 0, y: 0, width: 1280, height: y + height + 16 };
};
const nodes = {
  subcommand: 'compare', options: ['--rounds', '1'], prepare: async () => {}, shown: chart,
};

/**
 * The pictures by name: the subcommand and its options, what is done on the page before, and which
 * part of it is shown.
 */
export const pictures = [
  { name: 'nodes', ...nodes },
  { name: 'nodes-dark', ...nodes, dark: true },
  {
    name: 'tree', subcommand: 'tree', options: ['queens', '8', '--mirror'], shown: halves,
    prepare: async (page) => {
      await page.waitForSelector('body[data-ready]');
      const items = page.locator('#tree [role=treeitem]');
      for (let depth = 0; depth < 7; depth += 1) {
        await items.nth(depth).click();
        await page.keyboard.press('ArrowRight');
      }
    },
  },
  {
    name: 'contour', subcommand: 'tree', options: ['hamiltonian-cycles', '8', '8'], shown: halves,
    prepare: async (page) => {
      await page.waitForSelector('body[data-ready]');
      await page.locator('#states [role=option]').nth(4).click();
    },
  },
];

/** Takes a picture. Returns the bytes of its PNG file, and the text that it shows. */
export async function take(browser, files, picture) {
  const { name, subcommand, options, prepare, shown, dark = false } = picture;
  // The same page for both modes: a comparison takes half a minute.
  const file = files.file(`${[subcommand, ...options].join(' ')}.html`);
  files.written ??= new Set();
  if (!files.written.has(file)) run(subcommand, ...options, '--html', file);
  files.written.add(file);
  const { page } = await open(browser, file, { dark });
  await prepare(page);
  await page.mouse.move(0, 0);
  const clip = await shown(page);
  const text = await page.evaluate(visibleText, clip);
  const png = await page.screenshot({ clip, fullPage: true });
  await page.close();
  return { name, text, png: withText(png, text) };
}

/** Returns the text of all elements within a rectangle of the page, a line for each. */
function visibleText({ x, y, width, height }) {
  const lines = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data.trim().replace(/\s+/g, ' ');
    if (!text || node.parentElement.closest('script, style, title, select')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const [left, top] = [box.left + scrollX, box.top + scrollY];
    const isAcross = left < x + width && left + box.width > x;
    const isDown = top < y + height && top + box.height > y;
    const isShown = box.width > 1 && box.height > 1 && isAcross && isDown;
    if (isShown && node.parentElement.checkVisibility()) lines.push(text);
  }
  return lines.join('\n');
}

/** The head of the chunk of the text: not compressed, without language and translated keyword. */
const HEAD = 'iTXtText\0\0\0\0\0';

/** Returns the checksum of a chunk (ISO 3309). */
export function crc32(bytes) {
  let rest = ~0;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

/** Returns the bytes of a PNG file with a text in a chunk `iTXt`, before the last chunk. */
function withText(png, text) {
  const data = Buffer.concat([Buffer.from(HEAD, 'latin1'), Buffer.from(text)]);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]);
}

/** Returns the text that a PNG file carries. */
export function textOf(png) {
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const start = at + 4 + HEAD.length;
    if (png.toString('latin1', at + 4, start) === HEAD) {
      return png.toString('utf8', start, at + 8 + png.readUInt32BE(at));
    }
  }
  return undefined;
}
