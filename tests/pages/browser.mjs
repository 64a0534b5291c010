// Runs `secateurs`, and opens the pages that it writes in Chromium: `chromium` on the path, or the
// program named by CHROMIUM.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env.SECATEURS ?? join(root, 'target/release/secateurs');

function executable() {
  const find = 'command -v chromium || command -v chromium-browser';
  return process.env.CHROMIUM ?? execFileSync('sh', ['-c', find], { encoding: 'utf8' }).trim();
}

/** Creates a temporary directory, which `drop` removes. */
export function scratch() {
  const directory = mkdtempSync(join(tmpdir(), 'secateurs-pages-'));
  const file = (name) => join(directory, name);
  return { directory, file, drop: () => rmSync(directory, { recursive: true }) };
}

/** Runs a subcommand from the root of the project, and returns its output. */
export function run(subcommand, ...options) {
  const settings = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 };
  return execFileSync(program, [subcommand, ...options], settings);
}

/**
 * Writes the lab, and returns its path. ENGINE names a compiled engine. Without it, the command
 * compiles one, which takes minutes.
 */
export function writeLab({ directory, file }) {
  const { ENGINE } = process.env;
  run('lab', '--folder', directory, ...(ENGINE ? ['--engine', ENGINE] : []));
  return file('lab.html');
}

/** Launches a browser without background network access. */
export function launch() {
  return chromium.launch({
    executablePath: executable(),
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
}

/**
 * Opens a file. `complaints` collects errors and warnings of the console, and requests for any
 * other file.
 */
export async function open(browser, path, { dark = false, fragment = '' } = {}) {
  const colorScheme = dark ? 'dark' : 'light';
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  const url = pathToFileURL(path).href;
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const isOwn = request.url().split('#')[0] === url || /^(data|blob):/.test(request.url());
    if (!isOwn) complaints.push(`request for ${request.url()}`);
  });
  const start = performance.now();
  await page.goto(url + fragment, { waitUntil: 'load' });
  return { page, complaints, milliseconds: performance.now() - start };
}

/** Returns the kind and count of each element, from its data attributes. */
export function kinds(page, selector) {
  return page.locator(selector).evaluateAll((elements) => (
    elements.map(({ dataset }) => [dataset.kind, Number(dataset.count)])));
}

/**
 * Returns the minimal contrast ratio of text and background (WCAG 2.1) over all elements with text
 * of their own, and the text.
 */
export function leastContrast(page) {
  return page.evaluate(() => {
    const channels = (color) => (color.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    const linear = (channel) => {
      const share = channel / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    const luminance = ([red, green, blue]) =>
      0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const background = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color.length < 4 || color[3] > 0.99) return color;
      }
      return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
    };
    let least = { ratio: 21, text: '' };
    for (const element of document.body.querySelectorAll('*')) {
      const own = [...element.childNodes].filter((node) => node.nodeType === 3);
      const text = own.map((node) => node.data.trim()).join('');
      const isHidden = element.closest('script, style, title') || !element.getClientRects().length;
      if (!text || isHidden) continue;
      const style = getComputedStyle(element);
      const ink = channels(element instanceof SVGElement ? style.fill : style.color);
      const [one, other] = [luminance(ink), luminance(background(element))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < least.ratio) least = { ratio, text: text.slice(0, 80) };
    }
    return least;
  });
}
